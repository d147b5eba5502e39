import { isDeepStrictEqual } from 'node:util'
import { type Detail, detail, unprocessable } from '#lib/problem.ts'
import {
  type EggRow,
  type Environment,
  environmentFor,
  type PanelServer,
  type Provisioning,
  refusedValues,
  validateEnvironment,
} from '#panel'
import type { ServiceRow } from '../queries.ts'
import type { StartupChangeRow } from './queries.ts'
import type { Startup } from './schema.ts'

/** The requested changes of how a server starts; images and commands by the egg's labels. */
export type Wish = {
  readonly environment?: Environment
  readonly dockerImage?: string
  readonly startup?: string
}

type Chosen = Pick<ServiceRow, 'dockerImage' | 'startupCommand'>

/**
 * Throws 422 `environment_invalid` for a request that the egg or the product does not allow, with all
 * of its faults.
 */
export function assertAllowed(
  { variables, dockerImages, startupCommands }: EggRow,
  { choices }: Pick<Provisioning, 'choices'>,
  { environment = {}, dockerImage, startup }: Wish,
): void {
  const asked = variables.filter(({ env }) => Object.hasOwn(environment, env))
  const details: Detail[] = [
    ...refusedValues(variables, environment, choices?.lockedVariables),
    ...validateEnvironment(asked, environment),
    ...choiceFaults('dockerImage', dockerImage, choices?.dockerImage ? dockerImages : []),
    ...choiceFaults('startup', startup, choices?.startup ? startupCommands : []),
  ]
  const [first] = details
  if (!first) return
  throw unprocessable(`${first.path}: ${first.message}`, 'environment_invalid', details)
}

type Labelled = readonly { readonly label: string }[]

function choiceFaults(path: string, label: string | undefined, offered: Labelled): Detail[] {
  if (label === undefined || offered.some((it) => it.label === label)) return []
  return [detail(path, { kind: 'not_offered' })]
}

/** The image and command of a service: the chosen ones, else the egg's first, if it has any. */
export function chosenOf(
  { dockerImages, startupCommands }: Pick<EggRow, 'dockerImages' | 'startupCommands'>,
  { dockerImage, startupCommand }: Chosen,
): { image: string | undefined; command: string | undefined } {
  const image = dockerImages.find(({ label }) => label === dockerImage) ?? dockerImages[0]
  const command = startupCommands.find(({ label }) => label === startupCommand)
  return { image: image?.image, command: (command ?? startupCommands[0])?.command }
}

/**
 * The whole start-up that is sent to a panel: that of its server, which users may have changed on the
 * panel, with the requested changes.
 */
export function startupWith(
  { variables, dockerImages, startupCommands }: EggRow,
  server: Pick<PanelServer, 'eggId' | 'image' | 'startup' | 'environment'>,
  { environment, dockerImage, startupCommand }: Omit<StartupChangeRow, 'lastError'>,
) {
  const image = dockerImages.find(({ label }) => label === dockerImage)?.image
  const command = startupCommands.find(({ label }) => label === startupCommand)?.command
  const preset = environmentFor({ variables }, { plan: server.environment, customer: {} })
  return {
    ...{ eggId: server.eggId, skipScripts: false },
    image: image ?? server.image,
    startup: command ?? server.startup,
    environment: { ...preset, ...environment },
  }
}

/** Whether a server has this start-up; other values of its environment do not matter. */
export function startsLike(
  server: Pick<PanelServer, 'eggId' | 'image' | 'startup' | 'environment'>,
  {
    eggId,
    image,
    startup,
    environment,
  }: Pick<PanelServer, 'eggId' | 'image' | 'startup'> & {
    environment: Environment
  },
): boolean {
  return (
    isDeepStrictEqual([eggId, image, startup], [server.eggId, server.image, server.startup]) &&
    Object.entries(environment).every(([name, value]) => server.environment[name] === value)
  )
}

type Sources = {
  egg: EggRow | undefined
  provisioning: Provisioning | null
  service: Pick<ServiceRow, 'environment' | 'dockerImage' | 'startupCommand'>
  /** Undefined while the panel is unavailable. */
  server: PanelServer | undefined
  change: StartupChangeRow | undefined
}

/** How a server starts, for its users; a request that is not sent yet counts as made. */
export function startupOf({ egg, provisioning, service, server, change }: Sources): Startup {
  const choices = provisioning?.choices
  const locked = new Set(choices?.lockedVariables)
  const variables = egg?.variables ?? []
  const sources = { plan: provisioning?.environment ?? {}, customer: service.environment }
  const known = server?.environment ?? environmentFor({ variables }, sources)
  const pending = change?.nextAt ? change : undefined
  const values: Environment = { ...known, ...pending?.environment }
  const chosen = {
    dockerImage: pending?.dockerImage ?? service.dockerImage,
    startupCommand: pending?.startupCommand ?? service.startupCommand,
  }
  const now = chosenOf(egg ?? NO_EGG, chosen)
  const image = pending?.dockerImage ? now.image : (server?.image ?? now.image)
  const command = pending?.startupCommand ? now.command : (server?.startup ?? now.command)
  const images = egg?.dockerImages ?? []
  const commands = egg?.startupCommands ?? []
  return {
    available: server !== undefined,
    environment: variables
      .filter(({ viewable }) => viewable)
      .map(({ env, name, description, default: preset, rules, editable }) => ({
        ...{ env, name, description, value: values[env] ?? preset, default: preset, rules },
        editable: editable && !locked.has(env),
      })),
    dockerImage: {
      chosen: images.find((it) => it.image === image)?.label ?? null,
      labels: choices?.dockerImage ? images.map(({ label }) => label) : [],
    },
    startup: {
      chosen: commands.find((it) => it.command === command)?.label ?? null,
      labels: choices?.startup ? commands.map(({ label }) => label) : [],
    },
    change: change ? viewOf(change) : null,
  }
}

const NO_EGG = { dockerImages: [], startupCommands: [] }

function viewOf({
  requestedAt,
  appliedAt,
  failedAt,
  lastError,
}: StartupChangeRow): Startup['change'] {
  const state = appliedAt ? 'applied' : failedAt ? 'failed' : 'pending'
  const failure = failedAt ? failureOf(lastError?.code) : null
  return { state, requestedAt, endedAt: appliedAt ?? failedAt, failure }
}

/** A failure for users; the panel's message is for operators. */
function failureOf(code = 'refused') {
  const message =
    code === 'refused'
      ? 'The panel does not take these values.'
      : 'The panel could not be told. Try again later.'
  return { code, message }
}
