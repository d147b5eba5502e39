import type { ErrorObject } from 'ajv'
import { plural } from '#lib/plural.ts'
import type { ProblemLanguage } from '#lib/problem-messages.ts'

/** The parameters of a failed keyword, as Ajv reports them. */
type Params = {
  readonly limit?: number
  readonly comparison?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly allowedValues?: readonly unknown[]
  readonly allowedValue?: unknown
  readonly multipleOf?: number
}
type Messages = Readonly<Record<string, (params: Params) => string>>

/** What a value must be, after the name of its field; `otherwise` for keywords without a message. */
const MESSAGES: Readonly<Record<ProblemLanguage, Messages>> = {
  en: {
    required: () => 'is required',
    additionalProperties: () => 'is not a known field',
    enum: ({ allowedValues = [] }) => `must be one of ${allowedValues.join(', ')}`,
    const: ({ allowedValue }) => `must be ${allowedValue}`,
    pattern: () => 'has characters or a form that is not allowed',
    format: ({ format = '' }) => FORMATS.en[format] ?? 'does not have the expected form',
    type: ({ type = [] }) => `must be ${named(type, TYPES.en, ' or ')}`,
    minLength: ({ limit = 0 }) =>
      limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`,
    maxLength: ({ limit = 0 }) =>
      `must have at most ${limit} ${plural('en', limit, 'character', 'characters')}`,
    minItems: ({ limit = 0 }) =>
      `must have at least ${limit} ${plural('en', limit, 'item', 'items')}`,
    maxItems: ({ limit = 0 }) =>
      `must have at most ${limit} ${plural('en', limit, 'item', 'items')}`,
    uniqueItems: () => 'must not contain an item twice',
    minProperties: ({ limit = 0 }) =>
      `must have at least ${limit} ${plural('en', limit, 'field', 'fields')}`,
    maxProperties: ({ limit = 0 }) =>
      `must have at most ${limit} ${plural('en', limit, 'field', 'fields')}`,
    minimum: ({ limit = 0 }) => `must be at least ${limit}`,
    maximum: ({ limit = 0 }) => `must be at most ${limit}`,
    exclusiveMinimum: ({ limit = 0 }) => `must be more than ${limit}`,
    exclusiveMaximum: ({ limit = 0 }) => `must be less than ${limit}`,
    multipleOf: ({ multipleOf = 1 }) => `must be a multiple of ${multipleOf}`,
    otherwise: () => 'is not valid',
  },
  fr: {
    required: () => 'est obligatoire',
    additionalProperties: () => 'n’est pas un champ connu',
    enum: ({ allowedValues = [] }) => `doit être une de ces valeurs : ${allowedValues.join(', ')}`,
    const: ({ allowedValue }) => `doit être ${allowedValue}`,
    pattern: () => 'a des caractères ou une forme qui ne sont pas permis',
    format: ({ format = '' }) => FORMATS.fr[format] ?? 'n’a pas la forme attendue',
    type: ({ type = [] }) => `doit être ${named(type, TYPES.fr, ' ou ')}`,
    minLength: ({ limit = 0 }) =>
      limit === 1 ? 'ne peut pas être vide' : `doit avoir au moins ${limit} caractères`,
    maxLength: ({ limit = 0 }) =>
      `doit avoir au plus ${limit} ${plural('fr', limit, 'caractère', 'caractères')}`,
    minItems: ({ limit = 0 }) =>
      `doit avoir au moins ${limit} ${plural('fr', limit, 'élément', 'éléments')}`,
    maxItems: ({ limit = 0 }) =>
      `doit avoir au plus ${limit} ${plural('fr', limit, 'élément', 'éléments')}`,
    uniqueItems: () => 'ne peut pas contenir deux fois le même élément',
    minProperties: ({ limit = 0 }) =>
      `doit avoir au moins ${limit} ${plural('fr', limit, 'champ', 'champs')}`,
    maxProperties: ({ limit = 0 }) =>
      `doit avoir au plus ${limit} ${plural('fr', limit, 'champ', 'champs')}`,
    minimum: ({ limit = 0 }) => `doit être au moins ${limit}`,
    maximum: ({ limit = 0 }) => `doit être au plus ${limit}`,
    exclusiveMinimum: ({ limit = 0 }) => `doit être supérieur à ${limit}`,
    exclusiveMaximum: ({ limit = 0 }) => `doit être inférieur à ${limit}`,
    multipleOf: ({ multipleOf = 1 }) => `doit être un multiple de ${multipleOf}`,
    otherwise: () => 'n’est pas valide',
  },
}

const FORMATS: Readonly<Record<ProblemLanguage, Readonly<Record<string, string>>>> = {
  en: {
    line: 'must be one line of text with visible characters',
    email: 'must be an email address',
    uri: 'must be a URL',
    date: 'must be a date such as 2026-01-31',
    'date-time': 'must be an instant such as 2026-01-31T10:15:00Z',
    uuid: 'must be the id of an object',
  },
  fr: {
    line: 'doit être une ligne de texte visible',
    email: 'doit être une adresse e-mail',
    uri: 'doit être une URL',
    date: 'doit être une date comme 2026-01-31',
    'date-time': 'doit être un instant comme 2026-01-31T10:15:00Z',
    uuid: 'doit être l’identifiant d’un objet',
  },
}

const TYPES: Readonly<Record<ProblemLanguage, Readonly<Record<string, string>>>> = {
  en: {
    ...{ string: 'a string', integer: 'an integer', number: 'a number', boolean: 'true or false' },
    ...{ object: 'an object', array: 'an array', null: 'null' },
  },
  fr: {
    ...{ string: 'un texte', integer: 'un entier', number: 'un nombre', boolean: 'true ou false' },
    ...{ object: 'un objet', array: 'une liste', null: 'null' },
  },
}

/** What a field must be that failed a keyword of its schema, in words that follow the name of the field. */
export function validationMessage(
  { keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>,
  language: ProblemLanguage,
): string {
  const messages = MESSAGES[language]
  const message = messages[keyword] ?? messages.otherwise
  return message?.(params as Params) ?? keyword
}

function named(
  type: string | readonly string[],
  names: Readonly<Record<string, string>>,
  or: string,
): string {
  return [type]
    .flat()
    .flatMap((it) => it.split(','))
    .map((it) => names[it] ?? it)
    .join(or)
}
