import { unprocessable } from '#lib/problem.ts'
import { kindName } from '../texts/index.ts'
import type { Kind } from '../texts/kinds.ts'
import { CHANNELS, type Channel, type Choice, KINDS, POLICIES, STAFF_KINDS } from './policy.ts'
import type { KindPreference, PreferenceChange } from './schema.ts'

/** What somebody wants differently from how it is by default. */
export type Wish = { kind: string; channel: Channel; enabled: boolean }

/** Whether a kind is told where nobody has said anything. */
export function defaultOf(choice: Choice): boolean {
  return choice === 'on' || choice === 'always'
}

/** Whether a person may switch it. */
export function isLocked(choice: Choice): boolean {
  return choice === 'always' || choice === 'never'
}

/** Whether a mail of this kind may be switched off by who gets it. */
export function isOptionalMail(kind: string): boolean {
  return Object.hasOwn(POLICIES, kind) && !isLocked(POLICIES[kind as Kind].email)
}

/** On which channels somebody is told something, given their wishes. */
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

/** Whose preferences are shown: how they are called depends on the language, and which there are on who it is. */
type Reader = { readonly locale: string; readonly isStaff: boolean }

/** Every kind that a person may be told, with its switches as they have set them, and its name in their language. */
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

/** The switches a change names. Throws 422 for one that cannot be moved. */
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
