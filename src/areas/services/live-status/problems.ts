import { badGateway, conflict, type Problem } from '#lib/problem.ts'
import type { PanelError } from '#panel'

/** The error that users see if a panel did not do what was requested. */
export function panelProblem({ kind }: PanelError): Problem {
  if (kind === 'conflict') {
    return conflict('The server is busy with something else. Try again shortly.', 'server_busy')
  }
  if (kind === 'unknown_outcome') {
    const message = 'The panel did not say whether it was done. Look at the server first.'
    return badGateway(message, 'panel_outcome_unknown')
  }
  return badGateway('The game panel cannot do this at the moment.', 'panel_unavailable')
}
