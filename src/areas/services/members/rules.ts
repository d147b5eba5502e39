import type { MemberPermission } from '../schema.ts'

/** What each permission allows on the panel, in the words of its client interface. */
const ON_PANEL: Readonly<Record<MemberPermission, readonly string[]>> = {
  view: ['websocket.connect'],
  power: ['control.start', 'control.stop', 'control.restart'],
  console: ['control.console'],
  files: [
    ...['file.create', 'file.read', 'file.read-content', 'file.update', 'file.delete'],
    ...['file.archive', 'file.sftp'],
  ],
  backups: ['backup.create', 'backup.read', 'backup.delete', 'backup.download', 'backup.restore'],
  settings: ['startup.read', 'startup.update', 'settings.rename', 'settings.reinstall'],
}

/** A member's permissions in the panel's words, in one order. */
export function panelPermissionsOf(permissions: readonly string[]): string[] {
  const words = Object.entries(ON_PANEL)
    .filter(([name]) => name === 'view' || permissions.includes(name))
    .flatMap(([, allowed]) => allowed)
  return [...new Set(words)].sort()
}

type Member = { userId: string; email: string; permissions: readonly string[] }
type Own = { userId: string; email: string; subuserUuid: string | null }
type OnPanel = { uuid: string; email: string; permissions: readonly string[] }

/** What is missing on the panel, and what is too much there. */
export type SubuserStep =
  | { step: 'create'; member: Member }
  | { step: 'adopt'; member: Member; uuid: string }
  | { step: 'update'; member: Member; uuid: string }
  | { step: 'delete'; own: Own; uuid: string }
  | { step: 'forget'; own: Own }

/**
 * What makes the users of a server on the panel those it is shared with. Whom its owner added there
 * is left alone, and a member who is there that way is not made a second time.
 */
export function subuserSteps(
  members: readonly Member[],
  own: readonly Own[],
  onPanel: readonly OnPanel[],
): SubuserStep[] {
  const at = (email: string) => onPanel.find((it) => it.email.toLowerCase() === email.toLowerCase())
  const steps: SubuserStep[] = []
  for (const member of members) {
    const known = own.find(({ userId }) => userId === member.userId)
    const there = at(known?.email ?? member.email)
    if (!there) steps.push({ step: 'create', member })
    else if (known && known.subuserUuid === null) {
      steps.push({ step: 'adopt', member, uuid: there.uuid })
    } else if (known && !isSame(member, there)) {
      steps.push({ step: 'update', member, uuid: there.uuid })
    }
  }
  for (const it of own) {
    if (members.some(({ userId }) => userId === it.userId)) continue
    // Who has left is known by the panel's own id alone.
    const there = onPanel.find(({ uuid }) => uuid === it.subuserUuid) ?? at(it.email)
    steps.push(there ? { step: 'delete', own: it, uuid: there.uuid } : { step: 'forget', own: it })
  }
  return steps
}

function isSame({ permissions }: Member, there: OnPanel): boolean {
  const [wanted, found] = [panelPermissionsOf(permissions), [...there.permissions].sort()]
  return wanted.join() === found.join()
}
