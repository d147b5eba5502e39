import type { ServerDraft } from '../contract.ts'
import { outcomeOf, PanelError } from '../panel-error.ts'
import type { ServerForm } from '../pterodactyl/server-form.ts'
import * as pterodactyl from '../pterodactyl/servers.ts'
import type { Transport } from '../pterodactyl/transport.ts'

const [FIRST_PORT, LAST_PORT, LARGEST_RANGE] = [1024, 65_535, 1000]

/** All ports, in ranges as long as the panel accepts. */
const ANY_PORT = Array.from(
  { length: Math.ceil((LAST_PORT - FIRST_PORT + 1) / LARGEST_RANGE) },
  (_, index) => {
    const first = FIRST_PORT + index * LARGEST_RANGE
    return `${first}-${Math.min(LAST_PORT, first + LARGEST_RANGE - 1)}`
  },
)

const FORM: ServerForm = {
  deploy: ({ locationIds, dedicatedIp, portRange }) => ({
    tags: locationIds,
    dedicated_ip: dedicatedIp,
    // Without ports, this panel creates a server that has no address, and reports success.
    port_range: portRange.length > 0 ? portRange : ANY_PORT,
  }),
  oomKiller: (allowed) => ({ oom_killer: allowed }),
}

/**
 * Calls that change servers. If a machine fails in the middle, Pelican keeps its own record as if it
 * had not; these calls restore the record, so that what failed can be tried again.
 */
export function serverCalls(transport: Transport): pterodactyl.ServerCalls {
  const calls = pterodactyl.serverCalls(transport, FORM)

  async function create(draft: ServerDraft) {
    const made = await outcomeOf(calls.createServer(draft))
    if (!(made instanceof PanelError)) return made
    if (!hasRefused(made)) throw made
    const left = await outcomeOf(calls.findServerByExternalId(draft.externalId))
    if (left instanceof PanelError || left?.status !== 'installing') throw made
    const removed = await outcomeOf(calls.deleteServer(left.id))
    throw removed instanceof PanelError ? made : undone(made)
  }

  async function toggle(done: Promise<void>, putBack: () => Promise<void>) {
    const outcome = await outcomeOf(done)
    if (!(outcome instanceof PanelError)) return
    if (!isOfMachine(outcome)) throw outcome
    // The machine was not told, and if asked again the panel would see nothing to do.
    const restored = await outcomeOf(putBack())
    const isBack = !(restored instanceof PanelError) || isOfMachine(restored)
    throw isBack ? undone(outcome) : outcome
  }

  return {
    ...calls,
    createServer: create,
    suspend: (id) => toggle(calls.suspend(id), () => calls.unsuspend(id)),
    unsuspend: (id) => toggle(calls.unsuspend(id), () => calls.suspend(id)),
  }
}

/** Whether the machine was asked and refused: then the panel keeps what was requested. */
function hasRefused({ failure }: PanelError): boolean {
  return failure.code === 'RequestException'
}

function isOfMachine(error: PanelError): boolean {
  return hasRefused(error) || error.failure.code === 'ConnectionException'
}

/** The same failure, for a change that was undone. */
function undone(error: PanelError): PanelError {
  const { code, detail } = error.failure
  return new PanelError('unavailable', { code, detail, cause: error })
}
