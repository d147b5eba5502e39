import { isKind } from '../../preferences/policy.ts'
import { kindName, textsIn } from '../../texts/index.ts'
import type { Message, Texts } from '../../texts/kinds.ts'
import type { AllFacts, Template, TemplateKind } from './kinds.ts'
import { allValues, exampleValues, STANDARD_TEMPLATE } from './placeholders.ts'
import { writtenBy } from './rules.ts'
import { SAMPLES } from './samples.ts'

type Sayings = { readonly [K in keyof AllFacts]: (facts: AllFacts[K]) => Message }

/** The standard message of a kind of mail about these facts, in a language. */
function standardOf<K extends TemplateKind>(locale: string, kind: K, facts: AllFacts[K]): Message {
  const { notices, mails }: Texts = textsIn(locale)
  const sayings: Sayings = { ...notices, ...mails }
  return sayings[kind](facts)
}

/** The name of a kind of mail in a language; the standard subject for a mail that is not a notification. */
export function nameOf(locale: string, kind: TemplateKind): string {
  if (isKind(kind)) return kindName(locale, kind)
  const [{ message }] = examplesOf(kind, locale, { template: STANDARD_TEMPLATE, name: '' })
  return message.title
}

type Example = {
  readonly message: Message
  readonly missing: string | null
  readonly values: Readonly<Record<string, string | null>>
}

/** A mail to an invented person about each of the sample facts of its kind, written by a template. */
export function examplesOf<K extends TemplateKind>(
  kind: K,
  locale: string,
  { template, name }: { template: Template; name: string },
): [Example, ...Example[]] {
  const [first, ...others]: readonly [AllFacts[K], ...AllFacts[K][]] = SAMPLES[kind]
  const example = (facts: AllFacts[K]): Example => {
    const standard = standardOf(locale, kind, facts)
    const values = allValues(exampleValues(kind, facts, locale) ?? {}, standard, name)
    const written = writtenBy(template, standard, values)
    return 'message' in written
      ? { message: written.message, missing: null, values }
      : { message: standard, missing: written.missing, values }
  }
  return [example(first), ...others.map(example)]
}
