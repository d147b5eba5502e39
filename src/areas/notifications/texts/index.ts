import { en } from './en.ts'
import { fr } from './fr.ts'
import type { Facts, Kind, MailFacts, MailKind, Message, Texts } from './kinds.ts'

/** Every language we speak. Another one is one more file. */
const LANGUAGES: Readonly<Record<string, Texts>> = { en, fr }

/** The texts of a language; English where we do not speak it. */
export function textsIn(locale: string): Texts {
  return LANGUAGES[locale] ?? en
}

/** What a person is told, in their language. */
export function noticeText<K extends Kind>(locale: string, kind: K, facts: Facts[K]): Message {
  return textsIn(locale).notices[kind](facts)
}

/** What a mail says, in the language of who gets it. */
export function mailText<K extends MailKind>(
  locale: string,
  kind: K,
  facts: MailFacts[K],
): Message {
  return textsIn(locale).mails[kind](facts)
}
