import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'musi być jednym wierszem tekstu z widocznymi znakami',
  email: 'musi być adresem e-mail',
  uri: 'musi być adresem URL',
  date: 'musi być datą, na przykład 2026-01-31',
  'date-time': 'musi być datą i godziną, na przykład 2026-01-31T10:15:00Z',
  uuid: 'musi być identyfikatorem obiektu',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'tekst', integer: 'liczba całkowita', number: 'liczba', boolean: 'true lub false' },
  ...{ object: 'obiekt', array: 'lista', null: 'null' },
}

const CHARACTERS = ['znak', 'znaków', 'znaki'] as const
const ITEMS = ['element', 'elementów', 'elementy'] as const
const FIELDS = ['pole', 'pól', 'pola'] as const

function counted(count: number, [one, many, few]: readonly [string, string, string]): string {
  return `${count} ${plural('pl', count, one, many, few)}`
}

/** What a value must be, in Polish, after the name of its field. */
export const pl: ValidationMessages = {
  required: () => 'jest wymagane',
  additionalProperties: () => 'nie jest znanym polem',
  enum: ({ allowedValues = [] }) => `musi mieć jedną z wartości: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `musi mieć wartość ${allowedValue}`,
  pattern: () => 'ma niedozwolone znaki lub niedozwoloną postać',
  format: ({ format = '' }) => FORMATS[format] ?? 'nie ma oczekiwanej postaci',
  type: ({ type = [] }) => `musi mieć typ: ${named(type, TYPES, ' lub ')}`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'nie może być puste' : `musi mieć co najmniej ${counted(limit, CHARACTERS)}`,
  maxLength: ({ limit = 0 }) => `może mieć najwyżej ${counted(limit, CHARACTERS)}`,
  minItems: ({ limit = 0 }) => `musi mieć co najmniej ${counted(limit, ITEMS)}`,
  maxItems: ({ limit = 0 }) => `może mieć najwyżej ${counted(limit, ITEMS)}`,
  uniqueItems: () => 'nie może zawierać dwa razy tego samego elementu',
  minProperties: ({ limit = 0 }) => `musi mieć co najmniej ${counted(limit, FIELDS)}`,
  maxProperties: ({ limit = 0 }) => `może mieć najwyżej ${counted(limit, FIELDS)}`,
  minimum: ({ limit = 0 }) => `musi wynosić co najmniej ${limit}`,
  maximum: ({ limit = 0 }) => `może wynosić najwyżej ${limit}`,
  exclusiveMinimum: ({ limit = 0 }) => `musi być większe niż ${limit}`,
  exclusiveMaximum: ({ limit = 0 }) => `musi być mniejsze niż ${limit}`,
  multipleOf: ({ multipleOf = 1 }) => `musi być wielokrotnością ${multipleOf}`,
  otherwise: () => 'ma nieprawidłową wartość',
}
