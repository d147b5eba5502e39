/** The parameters of a failed keyword, as Ajv reports them. */
export type Params = {
  readonly limit?: number
  readonly comparison?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly allowedValues?: readonly unknown[]
  readonly allowedValue?: unknown
  readonly multipleOf?: number
}

type Keyword =
  | 'required'
  | 'additionalProperties'
  | 'enum'
  | 'const'
  | 'pattern'
  | 'format'
  | 'type'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'minProperties'
  | 'maxProperties'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'

/** The messages for invalid values, by the failed keyword; `otherwise` for keywords without a message. */
export type ValidationMessages = Readonly<Record<Keyword | 'otherwise', (params: Params) => string>>

/** The names of one or several JSON types, joined with the word for “or”. */
export function named(
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
