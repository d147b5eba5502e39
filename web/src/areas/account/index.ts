export { COUNTRIES } from './countries.ts'
export { deviceOf } from './devices.ts'
