import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'tem de ser uma linha de texto com caracteres visíveis',
  email: 'tem de ser um endereço de e-mail',
  uri: 'tem de ser um URL',
  date: 'tem de ser uma data como 2026-01-31',
  'date-time': 'tem de ser um instante como 2026-01-31T10:15:00Z',
  uuid: 'tem de ser o identificador de um objeto',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'um texto', integer: 'um número inteiro', number: 'um número' },
  ...{ boolean: 'true ou false', object: 'um objeto', array: 'uma lista', null: 'null' },
}

/** What a value must be, in Portuguese, after the name of its field. */
export const pt: ValidationMessages = {
  required: () => 'é obrigatório',
  additionalProperties: () => 'não é um campo conhecido',
  enum: ({ allowedValues = [] }) => `tem de ser um destes valores: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `tem de ser ${allowedValue}`,
  pattern: () => 'tem caracteres ou uma forma que não são permitidos',
  format: ({ format = '' }) => FORMATS[format] ?? 'não tem a forma esperada',
  type: ({ type = [] }) => `tem de ser ${named(type, TYPES, ' ou ')}`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'não pode estar vazio' : `tem de ter, no mínimo, ${limit} caracteres`,
  maxLength: ({ limit = 0 }) =>
    `tem de ter, no máximo, ${limit} ${plural('pt-PT', limit, 'carácter', 'caracteres')}`,
  minItems: ({ limit = 0 }) =>
    `tem de ter, no mínimo, ${limit} ${plural('pt-PT', limit, 'elemento', 'elementos')}`,
  maxItems: ({ limit = 0 }) =>
    `tem de ter, no máximo, ${limit} ${plural('pt-PT', limit, 'elemento', 'elementos')}`,
  uniqueItems: () => 'não pode ter o mesmo elemento duas vezes',
  minProperties: ({ limit = 0 }) =>
    `tem de ter, no mínimo, ${limit} ${plural('pt-PT', limit, 'campo', 'campos')}`,
  maxProperties: ({ limit = 0 }) =>
    `tem de ter, no máximo, ${limit} ${plural('pt-PT', limit, 'campo', 'campos')}`,
  minimum: ({ limit = 0 }) => `tem de ser, no mínimo, ${limit}`,
  maximum: ({ limit = 0 }) => `tem de ser, no máximo, ${limit}`,
  exclusiveMinimum: ({ limit = 0 }) => `tem de ser superior a ${limit}`,
  exclusiveMaximum: ({ limit = 0 }) => `tem de ser inferior a ${limit}`,
  multipleOf: ({ multipleOf = 1 }) => `tem de ser um múltiplo de ${multipleOf}`,
  otherwise: () => 'não é válido',
}
