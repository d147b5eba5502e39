import { unprocessable } from '#lib/problem.ts'
import { kindName } from '../texts/index.ts'
import type { Kind } from '../texts/kinds.ts'
import { CHANNELS, type Channel, type Choice, KINDS, POLICIES, STAFF_KINDS } from './policy.ts'
import type { KindPreference, PreferenceChange } from './schema.ts'

/** A preference that differs from the default. */
export type Wish = { kind: string; channel: Channel; enabled: boolean }

/** Whether a kind is sent if the person has no preference. */
function defaultOf(choice: Choice): boolean {
  return choice === 'on' || choice === 'always'
}

/** Whether the switch is fixed, so that a person may not change it. */
export function isLocked(choice: Choice): boolean {
  return choice === 'always' || choice === 'never'
}

/** Whether the recipient may switch mails of this kind off. */
export function isOptionalMail(kind: string): boolean {
  return Object.hasOwn(POLICIES, kind) && !isLocked(POLICIES[kind as Kind].email)
}

/** On which channels a person is notified, given their preferences. */
export function channelsFor(
  kind: Kind,
  wishes: readonly Wish[],
): Readonly<Record<Channel, boolean>> {
  const reached = (channel: Channel) => {
    const choice = POLICIES[kind][channel]
    if (isLocked(choice)) return defaultOf(choice)
    const wish = wishes.find((it) => it.kind === kind && it.channel === channel)
    return wish?.enabled ?? defaultOf(choice)
  }
  return { inApp: reached('inApp'), email: reached('email'), discord: reached('discord') }
}

/** The person whose preferences are shown: the language decides the names, being staff which kinds there are. */
type Reader = { readonly locale: string; readonly isStaff: boolean }

/** Every kind that a person may get, with their settings of its switches, and its name in their language. */
export function preferencesOf(
  wishes: readonly Wish[],
  { locale, isStaff }: Reader,
): KindPreference[] {
  return KINDS.filter((it) => isStaff || !STAFF_KINDS.has(it)).map((kind) => {
    const reached = channelsFor(kind, wishes)
    const shown = (channel: Channel) => ({
      enabled: reached[channel],
      locked: isLocked(POLICIES[kind][channel]),
    })
    const label = kindName(locale, kind)
    return { kind, label, inApp: shown('inApp'), email: shown('email'), discord: shown('discord') }
  })
}

/** The switches that a change names. Throws 422 for one that is locked. */
export function switchesIn(changes: readonly PreferenceChange[]): (Wish & { usual: boolean })[] {
  return changes.flatMap(({ kind, ...change }) =>
    CHANNELS.flatMap((channel) => {
      const enabled = change[channel]
      if (enabled === undefined) return []
      const choice = POLICIES[kind][channel]
      const usual = defaultOf(choice)
      if (!isLocked(choice)) return { kind, channel, enabled, usual }
      if (enabled === usual) return []
      throw unprocessable(`${channel} of ${kind} cannot be changed.`, 'preference_locked')
    }),
  )
}
