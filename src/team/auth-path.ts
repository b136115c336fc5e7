/** Where the library's own addresses begin; with the origin it is the issuer of our tokens. */
export const AUTH_PATH = '/api/auth';
