import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActButton,
  Button,
  Card,
  Checkbox,
  Facts,
  I,
  Link,
  Loaded,
  Page,
  Textarea,
  TextInput,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import { type Task, task as taskRead } from './reads.ts'
import { TaskTag } from './task-status.tsx'

export function TaskPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <Loaded isScreen query={useQuery(taskRead(id))}>
      {(it) => <Shown task={it} />}
    </Loaded>
  )
}

type TaskProps = { readonly task: Task }

const CHANGES = [
  ['admin', 'tasks'],
  ['admin', 'services'],
  ['admin', 'attention'],
]

/** One task: what to do for whom, and its result. */
function Shown({ task }: TaskProps) {
  const { tasks } = useAdminTexts()
  const title = `${tasks.actions[task.action]}: ${task.serviceName}`
  return (
    <Page
      wide
      title={title}
      head={
        <header className="page-head">
          <div className="grow">
            <div className="row gap12 wrap">
              <h1>{title}</h1>
              <span role="status">
                <TaskTag task={task} />
              </span>
            </div>
            <div className="sub">{tasks.actionTexts[task.action]}</div>
          </div>
          <Actions task={task} />
        </header>
      }
    >
      <div className="grid split">
        <div className="stack">
          <Card title={tasks.instructions}>
            <p className="typed">{task.instructions ?? tasks.noInstructions}</p>
          </Card>
          {task.failure ? (
            <Card title={tasks.failure}>
              <p className="typed">{task.failure}</p>
            </Card>
          ) : null}
          {task.details.length > 0 ? (
            <Card title={tasks.handedOver}>
              <Facts
                rows={task.details.map(
                  ({ label, value }) => [label, value ?? tasks.secretValue] as const,
                )}
              />
            </Card>
          ) : null}
        </div>
        <About task={task} />
      </div>
    </Page>
  )
}

function About({ task }: TaskProps) {
  const { tasks } = useAdminTexts()
  const { moment } = useFormats()
  const may = useMay()
  const { serviceId, userId, change } = task
  return (
    <Card title={tasks.about}>
      <Facts
        rows={[
          [
            tasks.service,
            may('services:read') ? (
              <Link key="service" to="/admin/servers/$id" params={{ id: serviceId }}>
                {task.serviceName}
              </Link>
            ) : (
              task.serviceName
            ),
          ],
          [tasks.product, `${task.productName} · ${task.planName}`],
          ...(change
            ? [[tasks.newProduct, `${change.productName} · ${change.planName}`] as const]
            : []),
          [
            tasks.customer,
            may('users:read') ? (
              <Link key="customer" to="/admin/people/$id" params={{ id: userId }}>
                {task.customerName}
              </Link>
            ) : (
              task.customerName
            ),
          ],
          [tasks.email, task.customerEmail],
          [tasks.created, moment(task.createdAt)],
          [tasks.due, moment(task.dueAt)],
          ...(task.claimedByName ? [[tasks.claimedBy, task.claimedByName] as const] : []),
          ...(task.doneAt ? [[tasks.doneAt, moment(task.doneAt)] as const] : []),
        ]}
      />
    </Card>
  )
}

function Actions({ task }: TaskProps) {
  const may = useMay()
  const isPending = task.state === 'open' || task.state === 'claimed'
  if (!isPending || !may('tasks:write')) return null
  const isMine = task.claimedBy === boot.userId
  return (
    <div className="actions">
      {isMine ? null : <Claim task={task} />}
      {isMine || task.state === 'open' ? (
        <>
          <Fail task={task} />
          <Done task={task} />
        </>
      ) : null}
    </div>
  )
}

function Claim({ task: { id, claimedByName } }: TaskProps) {
  const { tasks } = useAdminTexts()
  const params = { path: { id } }
  const claim = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/tasks/{id}/claim', {
        ...{ params, body: { takeOver: claimedByName !== null } },
        ...intent,
      }),
    { changes: CHANGES, done: () => told(tasks.claimed) },
  )
  return (
    <Button variant="default" loading={claim.isPending} onClick={() => claim.mutate(null)}>
      {claimedByName === null ? tasks.claim : tasks.takeOver(claimedByName)}
    </Button>
  )
}

type Detail = { readonly label: string; readonly value: string; readonly secret: boolean }
const NO_DETAIL: Detail = { label: '', value: '', secret: false }

function Done({ task: { id, action, serviceName } }: TaskProps) {
  const { tasks } = useAdminTexts()
  return (
    <ActButton
      variant="filled"
      label={tasks.done}
      icon={I.Check}
      title={tasks.doneTitle(serviceName)}
      consequence={tasks.doneTexts[action]}
      verb={tasks.done}
      initial={{}}
      // The details for the customer may be secret: they are not stored in the browser.
      secrets={{ details: [NO_DETAIL] as readonly Detail[] }}
      isIncomplete={({ details }) =>
        details.some(({ label, value }) => (label.trim() === '') !== (value === ''))
      }
      call={({ details }, intent) => {
        const filled = details.filter(({ value }) => value !== '')
        return client.POST('/v1/admin/tasks/{id}/done', {
          params: { path: { id } },
          body:
            filled.length > 0
              ? { details: filled.map((it) => ({ ...it, label: it.label.trim() })) }
              : {},
          ...intent,
        })
      }}
      changes={CHANGES}
      told={tasks.isDone}
    >
      {({ fields: { details }, set }) => {
        const change = (index: number, part: Partial<Detail>) =>
          set({ details: details.map((it, at) => (at === index ? { ...it, ...part } : it)) })
        return action === 'create' || action === 'change' ? (
          <div className="stack">
            <p className="sub">{tasks.detailsText}</p>
            {details.map((detail, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and only the last is added.
              <div key={index} className="stack">
                <div className="grid cols-2">
                  <TextInput
                    label={tasks.label}
                    value={detail.label}
                    maxLength={100}
                    autoComplete="off"
                    onChange={(event) => change(index, { label: event.currentTarget.value })}
                  />
                  <TextInput
                    label={tasks.value}
                    value={detail.value}
                    maxLength={2000}
                    autoComplete="off"
                    onChange={(event) => change(index, { value: event.currentTarget.value })}
                  />
                </div>
                <Checkbox
                  label={tasks.secret}
                  checked={detail.secret}
                  onChange={(event) => change(index, { secret: event.currentTarget.checked })}
                />
              </div>
            ))}
            {details.length < 20 ? (
              <Button variant="default" onClick={() => set({ details: [...details, NO_DETAIL] })}>
                {tasks.addDetail}
              </Button>
            ) : null}
          </div>
        ) : null
      }}
    </ActButton>
  )
}

function Fail({ task: { id, action, serviceName } }: TaskProps) {
  const { tasks } = useAdminTexts()
  return (
    <ActButton
      isDangerous
      variant="default"
      label={tasks.fail}
      title={tasks.failTitle(serviceName)}
      consequence={tasks.failTexts[action]}
      verb={tasks.fail}
      initial={{ reason: '' }}
      isIncomplete={({ reason }) => reason.trim() === ''}
      call={({ reason }, intent) =>
        client.POST('/v1/admin/tasks/{id}/fail', {
          params: { path: { id } },
          body: { reason: reason.trim() },
          ...intent,
        })
      }
      changes={CHANGES}
      told={tasks.isFailed}
    >
      {({ text }) => (
        <Textarea {...text('reason')} label={tasks.reason} required maxLength={500} autosize />
      )}
    </ActButton>
  )
}
