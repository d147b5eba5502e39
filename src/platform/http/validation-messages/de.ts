import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'muss eine Textzeile mit sichtbaren Zeichen sein',
  email: 'muss eine E-Mail-Adresse sein',
  uri: 'muss eine URL sein',
  date: 'muss ein Datum wie 2026-01-31 sein',
  'date-time': 'muss ein Zeitpunkt wie 2026-01-31T10:15:00Z sein',
  uuid: 'muss die ID eines Objekts sein',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'ein Text', integer: 'eine ganze Zahl', number: 'eine Zahl' },
  ...{ boolean: 'true oder false', object: 'ein Objekt', array: 'eine Liste', null: 'null' },
}

/** What a value must be, in German, after the name of its field. */
export const de: ValidationMessages = {
  required: () => 'ist erforderlich',
  additionalProperties: () => 'ist kein bekanntes Feld',
  enum: ({ allowedValues = [] }) => `muss einer dieser Werte sein: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `muss ${allowedValue} sein`,
  pattern: () => 'enthält unzulässige Zeichen oder hat ein unzulässiges Format',
  format: ({ format = '' }) => FORMATS[format] ?? 'hat nicht das erwartete Format',
  type: ({ type = [] }) => `muss ${named(type, TYPES, ' oder ')} sein`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'darf nicht leer sein' : `muss mindestens ${limit} Zeichen lang sein`,
  maxLength: ({ limit = 0 }) => `darf höchstens ${limit} Zeichen lang sein`,
  minItems: ({ limit = 0 }) =>
    `muss mindestens ${limit} ${plural('de', limit, 'Eintrag', 'Einträge')} enthalten`,
  maxItems: ({ limit = 0 }) =>
    `darf höchstens ${limit} ${plural('de', limit, 'Eintrag', 'Einträge')} enthalten`,
  uniqueItems: () => 'darf keinen Eintrag doppelt enthalten',
  minProperties: ({ limit = 0 }) =>
    `muss mindestens ${limit} ${plural('de', limit, 'Feld', 'Felder')} enthalten`,
  maxProperties: ({ limit = 0 }) =>
    `darf höchstens ${limit} ${plural('de', limit, 'Feld', 'Felder')} enthalten`,
  minimum: ({ limit = 0 }) => `muss mindestens ${limit} sein`,
  maximum: ({ limit = 0 }) => `darf höchstens ${limit} sein`,
  exclusiveMinimum: ({ limit = 0 }) => `muss größer als ${limit} sein`,
  exclusiveMaximum: ({ limit = 0 }) => `muss kleiner als ${limit} sein`,
  multipleOf: ({ multipleOf = 1 }) => `muss ein Vielfaches von ${multipleOf} sein`,
  otherwise: () => 'ist ungültig',
}
