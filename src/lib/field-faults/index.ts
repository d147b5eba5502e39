import type { ProblemLanguage } from '../problem-messages/index.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

/** The kinds of faults that a rule can find in the value of a field. */
export type FaultKind =
  | 'missing'
  | 'number'
  | 'whole_number'
  | 'zero_or_one'
  | `${'number' | 'length'}_${'at_least' | 'at_most' | 'exactly' | 'more' | 'between'}`
  | 'digits'
  | 'digits_between'
  | 'one_of'
  | 'ends_with'
  | 'value_not_allowed'
  | 'letters_digits_dash'
  | 'letters_digits'
  | 'url'
  | 'wrong_format'
  | 'not_editable'
  | 'not_offered'
  | 'no_option'
  | 'off_step'
  | 'value_archived'
  | 'option_not_offered'
  | 'requirement_missing'
  | 'not_at_location'
  | 'option_not_in_trial'
  | 'out_of_stock'
  | 'no_country'
  | 'no_placeholder'
  | 'not_in_future'
  | 'no_upload'
  | 'files_at_most'
  | 'megabytes_at_most'

/** One fault: its kind, and the bounds or values in its sentence. */
export type FieldFault = {
  readonly kind: FaultKind
  readonly values?: readonly (string | number)[]
}

/** The texts of faults in one language, by kind: the end of a sentence that begins with the name of the field. */
export type FaultTexts = Readonly<
  Record<FaultKind, (values: readonly (string | number)[]) => string>
>

const TEXTS: Readonly<Record<ProblemLanguage, FaultTexts>> = { en, fr, de, nl, es, it, pl, pt }

/** The text of a fault in a language: `must be at least 3`. */
export function faultText({ kind, values = [] }: FieldFault, language: ProblemLanguage): string {
  return TEXTS[language][kind](values)
}
