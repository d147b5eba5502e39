import { PanelError } from '../../http/errors.ts'
import { type Call, noContent, type Reply } from '../../http/router.ts'
import type { Panel } from '../../panel.ts'
import type { Server } from '../../state/rows.ts'
import { removeServer } from './remove.ts'

/**
 * Suspends a server: the one status field then says so, and forgets an installation that ran or had
 * failed. Again is nothing. Throws 409 during a transfer, and when the machine fails.
 */
export function suspend(call: Call, server: Server): Reply {
  return toggle(call, server, 'suspended')
}

/** Lifts a suspension, to a status that says installed whatever came before. */
export function unsuspend(call: Call, server: Server): Reply {
  return toggle(call, server, null)
}

function toggle({ now, panel }: Call, server: Server, wanted: 'suspended' | null): Reply {
  const suspended = server.status === 'suspended'
  if (suspended === (wanted === 'suspended')) return noContent
  if (server.transferring) {
    throw new PanelError(
      409,
      'ConflictHttpException',
      'Cannot toggle suspension status on a server that is currently being transferred.',
    )
  }
  server.updatedAt = now
  const failure = daemonFailure(panel, server)
  // What is undone is put back to the plain opposite: that it was installing is lost.
  const isUndone = failure !== null && panel.flavour.daemon.undone
  server.status = isUndone ? (suspended ? 'suspended' : null) : wanted
  if (failure) throw failure
  if (wanted === 'suspended') server.power = { target: 'offline', since: now }
  return noContent
}

/** Why the machine of a server does not do what it is asked; null when it does. */
export function daemonFailure({ data, flavour }: Panel, { nodeId }: Server): PanelError | null {
  const { daemon } = data.nodes.get(nodeId)
  if (daemon === 'up') return null
  return daemon === 'down' ? flavour.daemon.unreachable() : flavour.daemon.refused()
}

/** Installs once more. Throws when the machine fails; then nothing has changed. */
export function reinstall({ now, panel }: Call, server: Server): Reply {
  const failure = daemonFailure(panel, server)
  if (failure) throw failure
  server.status = 'installing'
  server.power = { target: 'offline', since: now }
  server.installation = panel.installs.begin(panel.clock, {
    reinstall: true,
    skipScripts: server.skipScripts,
  })
  server.updatedAt = now
  return noContent
}

/** Deletes a server. Throws when its machine fails, and then nothing is deleted. */
export function deleteServer({ panel }: Call, server: Server): Reply {
  const failure = daemonFailure(panel, server)
  // A panel that undoes nothing takes an error of the machine for an answer, silence for none.
  const { daemon } = panel.data.nodes.get(server.nodeId)
  if (failure && (daemon === 'down' || panel.flavour.daemon.undone)) throw failure
  removeServer(panel.data, server)
  return noContent
}

/** Deletes a server whatever its machine says, or does not say. */
export function forceDelete({ panel: { data } }: Call, server: Server): Reply {
  removeServer(data, server)
  return noContent
}
