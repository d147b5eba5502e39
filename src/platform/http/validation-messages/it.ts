import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'deve essere una riga di testo con caratteri visibili',
  email: 'deve essere un indirizzo email',
  uri: 'deve essere un URL',
  date: 'deve essere una data come 2026-01-31',
  'date-time': 'deve essere un istante come 2026-01-31T10:15:00Z',
  uuid: 'deve essere l’ID di un oggetto',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'un testo', integer: 'un intero', number: 'un numero', boolean: 'true o false' },
  ...{ object: 'un oggetto', array: 'un elenco', null: 'null' },
}

/** What a value must be, in Italian, after the name of its field. */
export const it: ValidationMessages = {
  required: () => 'è obbligatorio',
  additionalProperties: () => 'non è un campo conosciuto',
  enum: ({ allowedValues = [] }) => `deve essere uno di questi valori: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `deve essere ${allowedValue}`,
  pattern: () => 'ha caratteri o una forma non consentiti',
  format: ({ format = '' }) => FORMATS[format] ?? 'non ha la forma prevista',
  type: ({ type = [] }) => `deve essere ${named(type, TYPES, ' o ')}`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'non può essere vuoto' : `deve avere almeno ${limit} caratteri`,
  maxLength: ({ limit = 0 }) =>
    `deve avere al massimo ${limit} ${plural('it', limit, 'carattere', 'caratteri')}`,
  minItems: ({ limit = 0 }) =>
    `deve avere almeno ${limit} ${plural('it', limit, 'elemento', 'elementi')}`,
  maxItems: ({ limit = 0 }) =>
    `deve avere al massimo ${limit} ${plural('it', limit, 'elemento', 'elementi')}`,
  uniqueItems: () => 'non può contenere due volte lo stesso elemento',
  minProperties: ({ limit = 0 }) =>
    `deve avere almeno ${limit} ${plural('it', limit, 'campo', 'campi')}`,
  maxProperties: ({ limit = 0 }) =>
    `deve avere al massimo ${limit} ${plural('it', limit, 'campo', 'campi')}`,
  minimum: ({ limit = 0 }) => `deve essere almeno ${limit}`,
  maximum: ({ limit = 0 }) => `deve essere al massimo ${limit}`,
  exclusiveMinimum: ({ limit = 0 }) => `deve essere maggiore di ${limit}`,
  exclusiveMaximum: ({ limit = 0 }) => `deve essere minore di ${limit}`,
  multipleOf: ({ multipleOf = 1 }) => `deve essere un multiplo di ${multipleOf}`,
  otherwise: () => 'non è valido',
}
