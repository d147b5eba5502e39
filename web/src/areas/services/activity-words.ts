import type { components } from '@moorage/client'
import type { Texts } from '../../texts/index.tsx'

type Entry = components['schemas']['ServerActivity']
export type Deed = keyof Texts['services']['did']

/** Which deed an event of the panel is: the first match. */
const DEEDS: readonly (readonly [RegExp, Deed])[] = [
  [/power\.start$/, 'start'],
  [/power\.stop$/, 'stop'],
  [/power\.restart$/, 'restart'],
  [/power\.kill$/, 'kill'],
  [/crash/, 'crashed'],
  [/console\.command/, 'command'],
  [/file\.(read|download)/, 'read'],
  [/file|sftp/, 'files'],
  [/backup/, 'backup'],
  [/database/, 'database'],
  [/startup|settings|allocation|schedule|subuser|reinstall/, 'settings'],
]

/** What an event was. */
export function deedOf({ event }: Pick<Entry, 'event'>): Deed {
  return DEEDS.find(([events]) => events.test(event))?.[1] ?? 'other'
}

/** What it was done to, where the panel says: the command, or the names of files; else the event of an unknown kind. */
export function objectOf(entry: Pick<Entry, 'event' | 'metadata'>): string {
  const { command, file, files, directory, name } = entry.metadata
  if (typeof command === 'string') return command
  const names = Array.isArray(files) ? files.filter((it) => typeof it === 'string') : []
  const first = [file, name, directory].find((it) => typeof it === 'string')
  if (names.length > 0) return names.join(', ')
  if (typeof first === 'string') return first
  return deedOf(entry) === 'other' ? entry.event : ''
}
