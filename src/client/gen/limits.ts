/** Bounds of requests, from the OpenAPI document. Written by `npm run generate`. */

/** The most events ahead that a forecast or an alert looks. */
export const MAX_HORIZON = 10;

/** The most symbols that a forecast names of each event. */
export const MAX_FORECAST_SYMBOLS = 1000;
