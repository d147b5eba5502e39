import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { detailsOf, useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useDraft } from '../../api/drafts.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Loaded,
  Notice,
  Private,
  refused,
  Select,
  TextInput,
  told,
} from '../../ui/index.ts'
import { ServiceFrame } from './frame.tsx'
import { OwnerOnly } from './owner-only.tsx'
import { startup } from './reads.ts'

/** The variables, the image and the command that a server starts with. */
export function ServiceStartup() {
  const { services } = useTexts()
  return (
    <ServiceFrame>
      {({ service: { id, status, role, permissions } }) =>
        role === 'owner' || permissions.includes('settings') ? (
          <Private>
            <Startup
              key={id}
              id={id}
              mayRestart={status === 'active' && permissions.includes('power')}
            />
          </Private>
        ) : (
          <OwnerOnly id={id} title={services.tabs.startup} canBeGiven />
        )
      }
    </ServiceFrame>
  )
}

function Startup({ id, mayRestart }: { id: string; mayRestart: boolean }) {
  const { services, common } = useTexts()
  /** A requested restart, for when a change later than the one of this time is applied. */
  const [waiting, wait] = useState<{ since: string | null } | null>(null)
  const query = useQuery({
    ...startup(id),
    refetchInterval: ({ state }) => (state.data?.change?.state === 'pending' ? 2000 : false),
  })
  const save = (body: StartupWish) =>
    client.PATCH('/v1/services/{id}', { params: { path: { id } }, body })
  const restart = useAction(
    (_: null, intent) =>
      client.POST('/v1/services/{id}/power', {
        ...{ params: { path: { id } }, body: { action: 'restart' }, ...intent },
      }),
    {
      changes: [['service', id, 'status']],
      done: () => told(services.asked.restart),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const change = query.data?.change
  const { mutate } = restart
  useEffect(() => {
    if (!waiting || !change || change.requestedAt === waiting.since) return
    if (change.state === 'applied') mutate(null)
    if (change.state !== 'pending') wait(null)
  }, [waiting, change, mutate])
  return (
    <Loaded query={query}>
      {(found) => (
        <StartupForm
          {...{ id, startup: found, call: save, changes: [['service', id]] }}
          restart={mayRestart ? (since) => wait({ since }) : undefined}
        />
      )}
    </Loaded>
  )
}

type Found = components['schemas']['ServiceStartup']

/** The wanted changes of the start of a server. */
export type StartupWish = {
  environment?: Record<string, string>
  dockerImage?: string
  startup?: string
}

type FormProps = {
  readonly id: string
  readonly startup: Found
  readonly call: (
    body: StartupWish,
  ) => Promise<{ data?: object; error?: unknown; response: Response }>
  /** Keys of the queries to invalidate. */
  readonly changes: readonly (readonly unknown[])[]
  /** Restarts the server once a change later than the one of this time is applied; undefined without permission. */
  readonly restart?: ((since: string | null) => void) | undefined
}

/** The variables, the image and the command of a server, for its people and for staff. */
export function StartupForm(props: FormProps) {
  const { id, startup: found, call, changes, restart } = props
  const { services, common } = useTexts()
  const { available, environment, dockerImage, startup: command, change } = found
  const draft = useDraft<Record<string, string>>(`startup:${id}`, {})
  const { fields, isChanged, set, clear } = draft
  const save = useAction(
    (_: boolean) => {
      const { image, command: line, ...values } = fields
      return call({
        ...(Object.keys(values).length > 0 && { environment: values }),
        ...(image && { dockerImage: image }),
        ...(line && { startup: line }),
      })
    },
    {
      changes,
      done: (_, isRestarting: boolean) => {
        clear({})
        told(services.startupSaved)
        if (isRestarting) restart?.(change?.requestedAt ?? null)
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const errors = new Map(detailsOf(save.error).map(({ path, message }) => [last(path), message]))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(false)
      }}
    >
      {available ? null : <Notice tone="attention" title={services.startupUnavailable} />}
      {change?.state === 'pending' ? (
        <Notice tone="waiting" title={services.startupPending} />
      ) : null}
      {change?.state === 'failed' ? (
        <Notice tone="failed" title={services.startupFailed}>
          {change.failure?.message}
        </Notice>
      ) : null}
      <Card title={services.variables}>
        <div className="stack form-width">
          <p className="sub">{services.variablesText}</p>
          {environment.map(({ env, name, description, value, editable }) => (
            <TextInput
              key={env}
              label={name}
              description={editable ? description : services.readOnlyVariable}
              value={fields[env] ?? value}
              disabled={!editable || !available}
              error={errors.get(env)}
              onChange={(event) => set({ [env]: event.currentTarget.value })}
            />
          ))}
          {dockerImage.labels.length > 1 ? (
            <Choice
              label={services.image}
              labels={dockerImage.labels}
              value={fields.image ?? dockerImage.chosen}
              choose={(image) => set({ image })}
            />
          ) : null}
          {command.labels.length > 1 ? (
            <Choice
              label={services.command}
              labels={command.labels}
              value={fields.command ?? command.chosen}
              choose={(line) => set({ command: line })}
            />
          ) : null}
          <div className="row">
            <Button type="submit" disabled={!isChanged || !available} loading={save.isPending}>
              {services.saveStartup}
            </Button>
            {restart ? (
              <Button
                variant="default"
                disabled={!isChanged || !available}
                onClick={() => save.mutate(true)}
              >
                {services.saveAndRestart}
              </Button>
            ) : null}
            {isChanged ? (
              <Button variant="default" onClick={() => clear({})}>
                {common.cancel}
              </Button>
            ) : null}
          </div>
        </div>
      </Card>
    </form>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly labels: readonly string[]
  readonly value: string | null
  readonly choose: (label: string) => void
}

function Choice({ label, labels, value, choose }: ChoiceProps) {
  return (
    <Select
      label={label}
      data={[...labels]}
      value={value}
      onChange={(chosen) => {
        if (chosen) choose(chosen)
      }}
    />
  )
}

function last(path: string): string {
  return path.split(/[./]/).at(-1) ?? path
}
