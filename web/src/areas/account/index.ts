export { COUNTRIES } from './countries.ts'
