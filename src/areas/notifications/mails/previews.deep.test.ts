import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ShownBrand } from '#tenants'
import { withoutBrowser as skip, startBrowser } from '#test/browser.ts'
import { FACTS, MAIL_FACTS } from '#test/told.ts'
import { LANGUAGES } from '../texts/index.ts'
import type { Message } from '../texts/kinds.ts'
import { contentOf, textOf } from './content.ts'
import { letterIn } from './rendering.ts'

/**
 * A preview of every mail in every language, in a browser, on a phone and on a desk, light and dark. `PREVIEWS`
 * names a folder that pictures of them are written to.
 */
const ROOT = path.join(import.meta.dirname, '../../../..')
const axe = fs.readFileSync(path.join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const folder = process.env.PREVIEWS
const browser = skip ? null : await startBrowser()
after(() => browser?.close())

type Locale = keyof typeof LANGUAGES
type Sample = { kind: string; message: Message; link: string | null }

const origin = 'https://shop.example'
const brand: ShownBrand = { name: 'Harbour Hosting', primaryColor: '#0a7d5a' }
const legal = 'Harbour Hosting SAS · 1 rue du Port · 75001 Paris · FR40303265045'

/** Every kind of mail in a language, and each matter that staff is told of. */
function samplesIn(locale: Locale): Sample[] {
  const { notices, mails } = LANGUAGES[locale].texts
  const say = { ...notices, ...mails } as Record<string, (facts: object) => Message>
  const all: Record<string, readonly object[]> = { ...FACTS }
  for (const [kind, facts] of Object.entries(MAIL_FACTS)) all[kind] = [facts]
  return Object.entries(all).flatMap(([kind, variants]) => {
    const shown = kind === 'admin_attention' ? oneOfEachTopic(variants) : variants.slice(0, 1)
    return shown.map((facts) => {
      const link = 'url' in facts ? String(facts.url) : '/billing/invoices/1'
      return { kind, message: say[kind]?.(facts) ?? { title: '', body: '' }, link }
    })
  })
}

function oneOfEachTopic(variants: readonly object[]): object[] {
  const topics = new Map(variants.map((facts) => ['topic' in facts ? facts.topic : '', facts]))
  return [...topics.values()]
}

function pageFor({ kind, message, link }: Sample, locale: Locale, shown = brand, name = 'Ada') {
  const content = contentOf({ message, locale, name, link })
  const mail = { kind, subject: message.title, locale, body: textOf(content), content }
  return letterIn(mail, {
    brand: shown,
    legal,
    origin,
    stop: `${origin}/stop?token=${'t'.repeat(90)}`,
  })
}

async function violationsOf(page: Page, withColors: boolean): Promise<string[]> {
  const rules = { 'color-contrast': { enabled: withColors } }
  const run = `axe.run(document, ${JSON.stringify({ runOnly: RULES, rules })})`
  const { violations } = (await page.evaluate(run)) as {
    violations: { id: string; nodes: { target: string[] }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.target).join(', ')}`)
}

/** Looks at a mail in some schemes and both widths; answers what is wrong with it. */
async function faultsOf(
  page: Page,
  html: string,
  name: string,
  schemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<string[]> {
  const faults: string[] = []
  await page.setContent(html, { waitUntil: 'domcontentloaded' })
  // A page keeps its globals when it is given other contents.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const width of [360, 600]) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (wide !== 0) faults.push(`${name} scrolls sideways at ${width} px`)
      if (folder)
        await page.screenshot({
          path: `${folder}/${name}-${colorScheme}-${width}.png`,
          fullPage: true,
        })
    }
    const violations = await violationsOf(page, schemes.length > 1)
    faults.push(...violations.map((it) => `${name}, ${colorScheme}: ${it}`))
  }
  return faults
}

/** Colors do not depend on the language: one language is looked at in both schemes, with its colors. */
function schemesIn(locale: Locale) {
  return locale === 'en' || folder ? (['light', 'dark'] as const) : (['light'] as const)
}

for (const locale of Object.keys(LANGUAGES) as Locale[]) {
  test(`every mail in ${locale} can be read on a phone and on a desk`, { skip }, async () => {
    assert.ok(browser)
    const page = await browser.newPage()
    const faults: string[] = []
    const samples = samplesIn(locale)
    for (const [at, sample] of samples.entries()) {
      const { html, text } = pageFor(sample, locale)
      const name = `${sample.kind}-${at}-${locale}`
      faults.push(...(await faultsOf(page, html, name, schemesIn(locale))))
      for (const [label, value] of sample.message.rows ?? []) {
        assert.ok(text.includes(label) && text.includes(value), `${sample.kind}: ${label}`)
      }
      assert.ok(text.includes(legal))
    }
    assert.ok(samples.length >= 70, `${samples.length}`)
    assert.deepEqual(faults, [])
    await page.close()
  })
}

const BRANDS = ['#ffee00', '#000033', '#ffffff', '#ff3366', '#777777']

for (const primaryColor of BRANDS) {
  test(`a brand of ${primaryColor} and very long words stay readable`, { skip }, async () => {
    assert.ok(browser)
    const page = await browser.newPage()
    const long = 'Survival'.repeat(20)
    const [invoice] = FACTS.renewal_invoice
    const message = LANGUAGES.en.texts.notices.renewal_invoice({
      ...(invoice as NonNullable<typeof invoice>),
      ...{ name: long, number: long },
    })
    const link = `${origin}/${long}`
    const sample = { kind: 'reset_password', message, link }
    const { html } = pageFor(sample, 'en', { name: long, primaryColor }, long)
    assert.deepEqual(await faultsOf(page, html, `long-${primaryColor.slice(1)}`), [])
    await page.close()
  })
}
