import type { MemberPermission } from '../schema.ts'

/** What each permission allows on the panel, as permission names of its client API. */
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

/** A member's permissions as names of the panel's API, in a fixed order. */
export function panelPermissionsOf(permissions: readonly string[]): string[] {
  const words = Object.entries(ON_PANEL)
    .filter(([name]) => name === 'view' || permissions.includes(name))
    .flatMap(([, allowed]) => allowed)
  return [...new Set(words)].sort()
}

type Member = { userId: string; email: string; permissions: readonly string[] }
type Own = { userId: string; email: string; subuserUuid: string | null }
type OnPanel = { uuid: string; email: string; permissions: readonly string[] }

/** A change that is needed to the subusers on the panel. */
export type SubuserStep =
  | { step: 'create'; member: Member }
  | { step: 'adopt'; member: Member; uuid: string }
  | { step: 'update'; member: Member; uuid: string }
  | { step: 'delete'; own: Own; uuid: string }
  | { step: 'forget'; own: Own }

/**
 * The steps that make the users of a server on the panel those it is shared with. Users whom its owner
 * added on the panel are left alone, and a member who was added that way is not created again.
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
    // After erasure, a member who has left is known only by the panel's own id.
    const there = onPanel.find(({ uuid }) => uuid === it.subuserUuid) ?? at(it.email)
    steps.push(there ? { step: 'delete', own: it, uuid: there.uuid } : { step: 'forget', own: it })
  }
  return steps
}

function isSame({ permissions }: Member, there: OnPanel): boolean {
  const [wanted, found] = [panelPermissionsOf(permissions), [...there.permissions].sort()]
  return wanted.join() === found.join()
}
