import { daemonUnreachable, PanelError } from '../../http/errors.ts'
import { type Call, noContent, type Reply } from '../../http/router.ts'
import type { Server } from '../../state/rows.ts'
import { removeServer } from './remove.ts'

/**
 * Suspends a server: the one status field then says so, and forgets an installation that ran or had
 * failed. Again is nothing. Throws 409 during a transfer, 504 when the machine does not answer.
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
  if (panel.data.nodes.get(server.nodeId).daemonDown) {
    // It is put back to the plain opposite: that it was installing is lost.
    server.status = suspended ? 'suspended' : null
    throw daemonUnreachable()
  }
  server.status = wanted
  if (wanted === 'suspended') server.power = { target: 'offline', since: now }
  return noContent
}

/** Installs once more. Throws 504 when the machine does not answer; then nothing has changed. */
export function reinstall({ now, panel }: Call, server: Server): Reply {
  if (panel.data.nodes.get(server.nodeId).daemonDown) throw daemonUnreachable()
  server.status = 'installing'
  server.power = { target: 'offline', since: now }
  server.installation = panel.installs.begin(panel.clock, {
    reinstall: true,
    skipScripts: server.skipScripts,
  })
  server.updatedAt = now
  return noContent
}

/** Deletes a server. Throws 504 when its machine does not answer; then nothing is deleted. */
export function deleteServer({ panel: { data } }: Call, server: Server): Reply {
  if (data.nodes.get(server.nodeId).daemonDown) throw daemonUnreachable()
  removeServer(data, server)
  return noContent
}

/** Deletes a server whatever its machine says, or does not say. */
export function forceDelete({ panel: { data } }: Call, server: Server): Reply {
  removeServer(data, server)
  return noContent
}
