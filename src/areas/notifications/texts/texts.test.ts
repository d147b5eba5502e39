import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES, regionOf } from '#lib/languages.ts'
import { FACTS, MAIL_FACTS } from '#test/told.ts'
import { KINDS } from '../preferences/policy.ts'
import { dayText } from './days.ts'
import { LANGUAGES } from './index.ts'
import type { Message } from './kinds.ts'

/** Made of facts alone, so they are the same in every language. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(['announcement'])

const [first, ...others] = Object.entries(LANGUAGES)
assert.ok(first && others.length > 0)

type Said = { name: string; facts: object; message: Message }

function saidIn(locale: keyof typeof LANGUAGES): Said[] {
  const { notices, mails } = LANGUAGES[locale].texts
  const say = notices as Record<string, (facts: object) => Message>
  const write = mails as Record<string, (facts: object) => Message>
  return [
    ...KINDS.flatMap((kind) =>
      FACTS[kind].map((facts) => {
        return { name: kind, facts, message: say[kind]?.(facts) ?? { title: '', body: '' } }
      }),
    ),
    ...Object.entries(MAIL_FACTS).map(([name, facts]) => {
      return { name, facts, message: write[name]?.(facts) ?? { title: '', body: '' } }
    }),
  ]
}

/** Which of the facts a message names: the same ones, whoever says it. */
function namedIn({ title, body, rows = [] }: Message, facts: object): string[] {
  const text = [title, body, ...rows.flat()].join(' ')
  return leavesOf(facts).flatMap(([name, value]) => {
    if (name === 'amountCents' || name === 'dueCents') return /12[.,]34/.test(text) ? name : []
    if (name === 'count') return text.split(/\D+/).includes(String(value)) ? name : []
    if (typeof value !== 'string' || WORDS.has(name)) return []
    return formsOf(value).some((form) => text.includes(form)) ? name : []
  })
}

/** A fact as it may stand in a text: a day is written as people write it. */
function formsOf(value: string): string[] {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return [value]
  return LOCALES.map((locale) => dayText(value, regionOf(locale)))
}

/** Facts that choose a sentence, and are not in it as they are. */
const WORDS: ReadonlySet<string> = new Set([
  ...['action', 'currency', 'factor', 'goal', 'next', 'reason', 'step', 'topic', 'why'],
])

function leavesOf(facts: object): [string, unknown][] {
  return Object.entries(facts).flatMap(([name, value]) => {
    return typeof value === 'object' && value !== null ? leavesOf(value) : [[name, value]]
  })
}

for (const locale of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
  test(`every text in ${locale} has a title of one line, and says what it is about`, () => {
    for (const { name, message, facts } of saidIn(locale)) {
      const { title, body } = message
      assert.ok(
        title.length > 2 && title.length <= 120 && !title.includes('\n'),
        `${name}: ${title}`,
      )
      assert.ok(body.length > 2 && body.length <= 600, `${name}: ${body}`)
      const all = [title, body, ...(message.rows?.flat() ?? []), message.action, message.after]
      const whole = all.filter((it) => it !== undefined).join(' ')
      assert.doesNotMatch(whole, /\b(?:undefined|null|NaN)\b|\[object|\$\{| {2,}\S/, name)
      assert.doesNotMatch(whole, /\d{4}-\d\d-\d\d/, `${name} shows a day as programs write it`)
      assert.doesNotMatch(whole, /\d are |somebody|whoever/i, name)
      assert.ok(locale !== 'fr' || !/'/.test(whole), `${name} has a straight apostrophe: ${whole}`)
      // The address of a secret link is that of the button.
      const unnamed = ['factor', 'left', 'times', 'url']
      if (Object.keys(facts).length > 0 && !unnamed.some((it) => it in facts)) {
        assert.ok(namedIn(message, facts).length > 0, `${name} names none of its facts`)
      }
    }
  })
}

for (const [locale, language] of others) {
  test(`${locale} says the same as ${first[0]}, in its own words`, () => {
    const own = saidIn(locale as keyof typeof LANGUAGES)
    for (const [index, { name, message, facts }] of saidIn(first[0] as 'en').entries()) {
      const there = own[index]?.message ?? { title: '', body: '' }
      assert.deepEqual(namedIn(there, facts), namedIn(message, facts), name)
      if (FOREIGN_WORDS.has(name)) continue
      // Some bodies are the words of another system alone, in whatever language that has.
      if (hasOwnWords(message, facts)) assert.notEqual(there.body, message.body, name)
      if (name === 'admin_attention') assert.notEqual(there.title, message.title, message.title)
    }
    assertTranslated(language.pages, first[1].pages)
    assertTranslated(language.signIn, first[1].signIn)
    assertTranslated(language.purposes, first[1].purposes)
    assertTranslated(language.invoices.reasons, first[1].invoices.reasons)
  })
}

/** Whether a body says something besides its facts. */
function hasOwnWords({ body }: Message, facts: object): boolean {
  const left = leavesOf(facts).reduce(
    (text, [, value]) => (typeof value === 'string' ? text.replaceAll(value, '') : text),
    body,
  )
  // Panels call them eggs in every language.
  return /\p{L}{2}/u.test(left.replaceAll('Eggs', ''))
}

/** Words that two languages share. */
const SHARED = /^(Code|Discord|Password|.{0,3})$/

/** The same keys, and no text that was only copied. */
function assertTranslated(own: object, other: object, path = ''): void {
  assert.deepEqual(Object.keys(own).sort(), Object.keys(other).sort(), path)
  for (const [key, value] of Object.entries(own)) {
    const there = Object.entries(other).find(([name]) => name === key)?.[1]
    assert.equal(typeof value, typeof there, `${path}.${key}`)
    if (typeof value === 'object') assertTranslated(value, there, `${path}.${key}`)
    if (typeof value === 'function') assert.notEqual(value('X'), there('X'), `${path}.${key}`)
    if (typeof value === 'string' && !SHARED.test(value)) {
      assert.notEqual(value, there, `${path}.${key} is not translated`)
    }
  }
}

const PERIODS = {
  en: ['9 – 15 June 2026', '31 January – 27 February 2026'],
  fr: ['9–15 juin 2026', '31 janvier – 27 février 2026'],
  de: ['9.–15. Juni 2026', '31. Januar – 27. Februar 2026'],
  nl: ['9–15 juni 2026', '31 januari – 27 februari 2026'],
  es: ['9–15 de junio de 2026', '31 de enero – 27 de febrero de 2026'],
  it: ['9–15 giugno 2026', '31 gennaio – 27 febbraio 2026'],
  pl: ['9–15 czerwca 2026', '31 stycznia – 27 lutego 2026'],
  pt: ['9–15 de junho de 2026', '31 de janeiro – 27 de fevereiro de 2026'],
} as const

for (const locale of LOCALES) {
  test(`a line of an invoice in ${locale} says its period as people write it`, () => {
    const { period } = LANGUAGES[locale].invoices.lines
    const [week, month] = PERIODS[locale]
    const line = (first: string, last: string) => period('Small', { first, last })
    assert.ok(line('2026-06-09', '2026-06-15').endsWith(week), line('2026-06-09', '2026-06-15'))
    assert.ok(line('2026-01-31', '2026-02-27').endsWith(month), line('2026-01-31', '2026-02-27'))
    assert.doesNotMatch(line('2026-06-09', '2026-06-09'), /–|2026-/)
  })
}
