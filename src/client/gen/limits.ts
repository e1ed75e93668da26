/** Bounds of requests, from the OpenAPI document. Written by `npm run generate`. */

/** Maximum number of events ahead in a forecast or an alert. */
export const MAX_HORIZON = 10;

/** Maximum number of symbols that a forecast lists for each event. */
export const MAX_FORECAST_SYMBOLS = 1000;

/** Maximum number of events a day that an alert may ask for. */
export const MAX_PER_DAY = 10000;

/** Maximum number of characters in the note of an incident. */
export const MAX_NOTE = 1000;

/** Maximum number of memories that `listDevices` lists. */
export const MAX_LISTED_DEVICES = 10000;

/** Maximum number of sessions that `listSessions` lists at once. */
export const MAX_LISTED_SESSIONS = 1000;

/** Maximum number of incidents that `listIncidents` lists at once. */
export const MAX_LISTED_INCIDENTS = 1000;

/** Maximum number of events that `getHistory` lists at once. */
export const MAX_LISTED_EVENTS = 1000;

/** Maximum number of models that `listModels` lists at once. */
export const MAX_LISTED_MODELS = 500;
