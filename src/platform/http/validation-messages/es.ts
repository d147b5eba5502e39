import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'debe ser una línea de texto con caracteres visibles',
  email: 'debe ser una dirección de correo',
  uri: 'debe ser una URL',
  date: 'debe ser una fecha como 2026-01-31',
  'date-time': 'debe ser una fecha y hora como 2026-01-31T10:15:00Z',
  uuid: 'debe ser el identificador de un objeto',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'un texto', integer: 'un entero', number: 'un número', boolean: 'true o false' },
  ...{ object: 'un objeto', array: 'una lista', null: 'null' },
}

/** What a value must be, in Spanish, after the name of its field. */
export const es: ValidationMessages = {
  required: () => 'es obligatorio',
  additionalProperties: () => 'no es un campo conocido',
  enum: ({ allowedValues = [] }) => `debe ser uno de estos valores: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `debe ser ${allowedValue}`,
  pattern: () => 'tiene caracteres o un formato que no se permiten',
  format: ({ format = '' }) => FORMATS[format] ?? 'no tiene el formato esperado',
  type: ({ type = [] }) => `debe ser ${named(type, TYPES, ' o ')}`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'no puede estar vacío' : `debe tener al menos ${limit} caracteres`,
  maxLength: ({ limit = 0 }) =>
    `debe tener como máximo ${limit} ${plural('es', limit, 'carácter', 'caracteres')}`,
  minItems: ({ limit = 0 }) =>
    `debe tener al menos ${limit} ${plural('es', limit, 'elemento', 'elementos')}`,
  maxItems: ({ limit = 0 }) =>
    `debe tener como máximo ${limit} ${plural('es', limit, 'elemento', 'elementos')}`,
  uniqueItems: () => 'no puede contener dos veces el mismo elemento',
  minProperties: ({ limit = 0 }) =>
    `debe tener al menos ${limit} ${plural('es', limit, 'campo', 'campos')}`,
  maxProperties: ({ limit = 0 }) =>
    `debe tener como máximo ${limit} ${plural('es', limit, 'campo', 'campos')}`,
  minimum: ({ limit = 0 }) => `debe ser como mínimo ${limit}`,
  maximum: ({ limit = 0 }) => `debe ser como máximo ${limit}`,
  exclusiveMinimum: ({ limit = 0 }) => `debe ser mayor que ${limit}`,
  exclusiveMaximum: ({ limit = 0 }) => `debe ser menor que ${limit}`,
  multipleOf: ({ multipleOf = 1 }) => `debe ser múltiplo de ${multipleOf}`,
  otherwise: () => 'no es válido',
}
