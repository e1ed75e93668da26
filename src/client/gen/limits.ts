/** Bounds of requests, from the OpenAPI document. Written by `npm run generate`. */

/** The most events ahead that a forecast or an alert looks. */
export const MOST_HORIZON = 10;

/** The most symbols that a forecast names of each event. */
export const MOST_FORECAST_SYMBOLS = 1000;
