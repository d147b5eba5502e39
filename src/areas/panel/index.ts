import type { Area } from '#platform/area.ts'
import { forgetOldActivity } from './daemon/jobs.ts'
import { daemonRoutes } from './daemon/routes.ts'
import { daemonAuthenticator } from './daemon-tokens/authenticator.ts'
import { daemonTokenRoutes } from './daemon-tokens/routes.ts'
import { eggRoutes } from './eggs/routes.ts'
import { locationRoutes } from './locations/routes.ts'
import { objectsAmong } from './named.ts'
import { sealedKeys } from './nodes/keys.ts'
import { nodeRoutes } from './nodes/routes.ts'

export type * from './clients/contract.ts'
export {
  outcomeOf,
  PanelError,
  type PanelErrorKind,
  type PanelFailure,
} from './clients/panel-error.ts'
export { serverCrashed, serverInstalled } from './daemon/events.ts'
export {
  type ActivityOf,
  findReport,
  forgetActivity,
  listActivity,
  listActivityOf,
} from './daemon/queries.ts'
export type { EggVariable } from './eggs/egg.ts'
export { eggsChanged } from './eggs/events.ts'
export { type EggRow, findEgg, listEggsByIds } from './eggs/queries.ts'
export {
  type Environment,
  environmentFor,
  missingValues,
  refusedValues,
  validateEnvironment,
} from './eggs/rules.ts'
export { inputOf, type VariableInput } from './eggs/variable-inputs.ts'
export {
  findLocation,
  type LocationRow,
  listLocationsAmong,
  listPlaces,
} from './locations/queries.ts'
export {
  type Build,
  bestRoom,
  isOffered,
  locationIdsOn,
  type Place,
  roomWord,
  shownLocation,
} from './locations/rules.ts'
export { RoomWord, ShownLocation } from './locations/schema.ts'
export { clientOf, type PanelDeps, retestRefused } from './nodes/connections.ts'
export { nodeDeleted } from './nodes/events.ts'
export { mayBegin } from './nodes/pace.ts'
export { findNode, type NodeRow } from './nodes/queries.ts'
export { canGrow } from './provisioning/capacity.ts'
export { capacityOf, surveyRoom } from './provisioning/live-capacity.ts'
export { type Customer, ensurePanelUser, forgetPanelUser } from './provisioning/panel-user.ts'
export { type Candidate, type Places, placementsFor } from './provisioning/placements.ts'
export {
  assertProvisioning,
  judgeProvisioning,
  provisioningFaults,
} from './provisioning/product.ts'
export { listCandidates } from './provisioning/queries.ts'
export { roomOf } from './provisioning/room.ts'
export * from './provisioning/rules.ts'
export { EnvironmentSchema, Provisioning } from './provisioning/schema.ts'

export {
  confirmReservation,
  isLapsed,
  markPlaced,
  moveReservation,
  placesNow,
  releaseRoom,
  reserveRoom,
} from './reservations/actions.ts'
export { findReservedNode, listReservations } from './reservations/queries.ts'
export type { Alternative, RoomSurvey } from './reservations/rules.ts'

export const panel: Area = {
  name: 'panel',
  objectsAmong,
  routes: [nodeRoutes, locationRoutes, eggRoutes, daemonTokenRoutes, daemonRoutes],
  jobs: [forgetOldActivity],
  sealed: sealedKeys,
  authenticators: () => [daemonAuthenticator],
  permissions: [
    { key: 'nodes:read', description: 'See panel connections, locations and eggs' },
    {
      key: 'nodes:write',
      description: 'Change and test panel connections, change locations, sync and import eggs',
    },
  ],
}
