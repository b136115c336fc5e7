export { namesSecret } from '../base/secret-names.ts';
