import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  AddLanguage,
  MultiSelect,
  Select,
  Textarea,
  TextInput,
  useWrittenLanguages,
} from '../../../ui/index.ts'
import { useTimes } from '../../../ui/times.ts'
import { type Affected, useAffectable, usePublicNames } from './affected.ts'
import type { Incident } from './reads.ts'

/** A text in each language; empty where none was written. */
export type ByLocale = Readonly<Record<Locale, string>>

export function byLocale(texts: Readonly<Record<string, string | undefined>> = {}): ByLocale {
  return Object.fromEntries(LOCALES.map((it) => [it, texts[it] ?? ''])) as ByLocale
}

/** The written texts, as the API takes them. */
export function written(texts: ByLocale): Record<string, string> {
  return Object.fromEntries(
    LOCALES.flatMap((it) => (texts[it].trim() ? [[it, texts[it].trim()] as const] : [])),
  )
}

export function isBlank(texts: ByLocale): boolean {
  return Object.keys(written(texts)).length === 0
}

type Part = {
  readonly name: string
  readonly label: string
  readonly value: ByLocale
  readonly change: (value: ByLocale) => void
  readonly isLong: boolean
}

/** Texts in the languages of the shop; further languages can be added. */
export function LanguageFields({ parts }: { parts: readonly Part[] }) {
  const { incidents } = useAdminTexts()
  const languages = useWrittenLanguages({
    shopLocale: useQuery(meta).data?.locale,
    isWritten: (locale) => parts.some(({ value }) => value[locale].trim() !== ''),
  })
  return (
    <>
      {languages.shown.map((locale) => (
        <Fragment key={locale}>
          {parts.map((part) => (
            <LanguageField key={part.name} part={part} locale={locale} />
          ))}
        </Fragment>
      ))}
      <AddLanguage label={incidents.addLanguage} missing={languages.missing} add={languages.add} />
      <p className="sub">{incidents.languagesHint}</p>
    </>
  )
}

const MOST = { title: 100, text: 5000 } as const

function LanguageField({ part, locale }: { part: Part; locale: Locale }) {
  const { name, label, value, change, isLong } = part
  const props = {
    ...{ name: `${name}.${locale}`, lang: locale, label: `${label} (${languageName(locale)})` },
    value: value[locale],
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ ...value, [locale]: event.currentTarget.value }),
  }
  if (!isLong) return <TextInput {...props} maxLength={MOST.title} />
  return <Textarea {...props} autosize minRows={3} maxRows={16} maxLength={MOST.text} />
}

type Named = { readonly id: string; readonly name: string }

type AffectedProps = {
  readonly fields: Affected
  readonly set: (change: Partial<Affected>) => void
  readonly errors: Readonly<Record<string, string>>
}

/** What an incident affects, and what customers read of that. */
export function AffectedFields({ fields, set, errors }: AffectedProps) {
  const { incidents } = useAdminTexts()
  const known = useAffectable()
  const choose = (list: keyof Affected, label: string, hint: string, among: readonly Named[]) => (
    <MultiSelect
      label={label}
      description={hint}
      searchable
      value={[...fields[list]]}
      error={errors[list]}
      data={optionsOf(among, fields[list], incidents.archived)}
      onChange={(ids) => set({ [list]: ids })}
    />
  )
  return (
    <fieldset className="plain stack">
      <legend className="legend-label">{incidents.affected}</legend>
      {known.mayPlace ? (
        <>
          {choose('locationIds', incidents.locations, incidents.locationsHint, known.locations)}
          {choose('nodeIds', incidents.panels, incidents.panelsHint, known.nodes)}
        </>
      ) : null}
      {known.maySell
        ? choose('productIds', incidents.products, incidents.productsHint, known.products)
        : null}
      {known.mayPlace && known.maySell ? null : <p className="sub">{incidents.needsMore}</p>}
      <p className="sub">{usePublicNames(fields)}</p>
    </fieldset>
  )
}

/** The options of a list: also those that are chosen and cannot be chosen any more. */
function optionsOf(among: readonly Named[], chosen: readonly string[], archived: string) {
  const missing = chosen.filter((id) => !among.some((it) => it.id === id))
  return [
    ...among.map(({ id, name }) => ({ value: id, label: name })),
    ...missing.map((id) => ({ value: id, label: `${archived} (${id.slice(-4)})` })),
  ]
}

const IMPACTS = ['none', 'minor', 'major', 'critical'] as const

export function impactIn(text: string): Incident['impact'] {
  return IMPACTS.find((it) => it === text) ?? 'minor'
}

type ImpactProps = {
  readonly name: string
  readonly value: string | null
  readonly error: string | undefined
  readonly onChange: (value: string | null) => void
}

export function ImpactField(props: ImpactProps) {
  const { incidents } = useAdminTexts()
  return (
    <Select
      {...props}
      label={incidents.impact}
      description={incidents.impactHint}
      allowDeselect={false}
      data={IMPACTS.map((value) => ({ value, label: incidents.impacts[value] }))}
    />
  )
}

type Times = { readonly startsAt: string; readonly endsAt: string }

type TimesProps = {
  readonly kind: Incident['kind']
  readonly fields: Times
  readonly text: (name: keyof Times) => {
    readonly name: string
    readonly value: string
    readonly error: string | undefined
    readonly onChange: (event: { currentTarget: { value: string } }) => void
  }
}

/** When it begins and, for maintenance, ends; with the times that customers read. */
export function TimeFields({ kind, fields, text }: TimesProps) {
  const { incidents } = useAdminTexts()
  const { timeZone, instantOf, utc } = useTimes()
  const [from, to] = [instantOf(fields.startsAt), instantOf(fields.endsAt)]
  const isMaintenance = kind === 'maintenance'
  const isBackwards = from !== null && to !== null && to <= from
  return (
    <fieldset className="plain stack">
      <legend className="legend-label">{incidents.times(timeZone)}</legend>
      <div className="grid cols-2">
        <TextInput
          {...text('startsAt')}
          type="datetime-local"
          label={isMaintenance ? incidents.begins : incidents.began}
          required={isMaintenance}
        />
        {isMaintenance ? (
          <TextInput
            {...text('endsAt')}
            type="datetime-local"
            label={incidents.ends}
            required
            error={isBackwards ? incidents.endsBefore : text('endsAt').error}
          />
        ) : null}
      </div>
      {isMaintenance ? (
        <p className="sub">
          {from && to && !isBackwards
            ? incidents.publicTimes(utc(from), utc(to))
            : incidents.maintenanceHint}
        </p>
      ) : (
        <p className="sub">{incidents.beganHint}</p>
      )}
    </fieldset>
  )
}
