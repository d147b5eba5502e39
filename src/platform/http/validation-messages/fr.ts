import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'doit être une ligne de texte visible',
  email: 'doit être une adresse e-mail',
  uri: 'doit être une URL',
  date: 'doit être une date comme 2026-01-31',
  'date-time': 'doit être un instant comme 2026-01-31T10:15:00Z',
  uuid: 'doit être l’identifiant d’un objet',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'un texte', integer: 'un entier', number: 'un nombre', boolean: 'true ou false' },
  ...{ object: 'un objet', array: 'une liste', null: 'null' },
}

/** What a value must be, in French, after the name of its field. */
export const fr: ValidationMessages = {
  required: () => 'est obligatoire',
  additionalProperties: () => 'n’est pas un champ connu',
  enum: ({ allowedValues = [] }) => `doit être une de ces valeurs : ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `doit être ${allowedValue}`,
  pattern: () => 'a des caractères ou une forme qui ne sont pas permis',
  format: ({ format = '' }) => FORMATS[format] ?? 'n’a pas la forme attendue',
  type: ({ type = [] }) => `doit être ${named(type, TYPES, ' ou ')}`,
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
}
