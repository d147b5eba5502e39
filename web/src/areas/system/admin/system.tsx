import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  BulkButton,
  Button,
  Card,
  type Column,
  ConfirmButton,
  Empty,
  Facts,
  I,
  LinkButton,
  Loaded,
  Page,
  Table,
  Tag,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'

type Job = components['schemas']['FailedJob']
type Health = components['schemas']['Health']

const REFRESH_MS = 30_000
const jobs = read(['jobs'], (signal) => client.GET('/v1/admin/jobs', { signal }))
const health = read(['health'], (signal) => client.GET('/v1/health', { signal }))

/** The health of the service, and failed jobs. */
export function SystemPage() {
  const { system: texts } = useAdminTexts()
  const may = useMay()
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        may('audit:read') ? (
          <LinkButton to="/admin/audit" variant="default">
            {texts.audit}
          </LinkButton>
        ) : null
      }
    >
      <div className="stack s24">
        <HealthCard />
        <JobsCard />
      </div>
    </Page>
  )
}

function HealthCard() {
  const { system: texts } = useAdminTexts()
  const { number } = useFormats()
  const query = useQuery({ ...health, refetchInterval: REFRESH_MS })
  const version = useQuery(meta).data?.version
  const facts = ({ checks }: Health) => {
    const { database, jobs: background, rateLimitStore, files, clock } = checks
    const skew = clock.status === 'wrong' ? clock.skewSeconds : null
    return [
      [texts.checks.database, texts.states[database]],
      [texts.checks.jobs, texts.states[background]],
      [texts.checks.files, texts.states[files]],
      [texts.checks.rateLimitStore, texts.states[rateLimitStore]],
      [texts.checks.clock, skew === null ? texts.states[clock.status] : texts.skew(number(skew))],
      [texts.version, version ?? '–'],
    ] as const
  }
  return (
    <Loaded query={query}>
      {(it) => (
        <Card
          title={texts.health}
          right={
            <Tag
              tone={({ up: 'active', degraded: 'attention', down: 'failed' } as const)[it.status]}
            >
              {texts.healthy[it.status]}
            </Tag>
          }
        >
          <Facts rows={facts(it)} />
        </Card>
      )}
    </Loaded>
  )
}

function JobsCard() {
  const { system: texts } = useAdminTexts()
  const { moment } = useFormats()
  const mayWrite = useMay()('system:write')
  const retry = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/jobs/{id}/retry', { params: { path: { id } }, ...intent }),
    { changes: [['jobs']], done: () => told(texts.retried) },
  )
  const columns: readonly Column<Job>[] = [
    { head: texts.job, cell: ({ name }) => <span className="mono">{name}</span> },
    { head: texts.error, small: 'sub', cell: ({ error }) => error ?? '–' },
    { head: texts.failedAt, small: 'sub', cell: ({ failedAt }) => moment(failedAt) },
    ...(mayWrite
      ? [
          {
            ...{ head: texts.retry, silent: true, right: true, small: 'second' as const },
            cell: (job: Job) => (
              <span className="row ends">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={texts.retryOf(job.name)}
                  loading={retry.isPending && retry.variables === job.id}
                  onClick={() => retry.mutate(job.id)}
                >
                  {texts.retry}
                </Button>
                <ConfirmButton
                  isDangerous
                  size="compact-sm"
                  variant="subtle"
                  verb={texts.discard}
                  label={texts.discardOf(job.name)}
                  title={texts.discardTitle(job.name)}
                  call={() =>
                    client.DELETE('/v1/admin/jobs/{id}', { params: { path: { id: job.id } } })
                  }
                  changes={[['jobs']]}
                  told={texts.discarded}
                >
                  {texts.discardText}
                </ConfirmButton>
              </span>
            ),
          },
        ]
      : []),
  ]
  const query = useQuery(jobs)
  const failed = query.data?.data ?? []
  return (
    <Card
      title={texts.jobs}
      right={
        mayWrite && failed.length > 1 ? (
          <BulkButton
            label={texts.retryAll(failed.length)}
            rows={failed}
            action={{ action: 'retry', verb: texts.retry, text: texts.retryText }}
            bulk={{
              actions: [],
              nameOf: ({ name }) => name,
              call: (body, intent) => client.POST('/v1/admin/jobs/bulk', { body, ...intent }),
              changes: [['jobs']],
            }}
          />
        ) : null
      }
      flush
    >
      <p className="sub pad">{texts.jobsText}</p>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={I.CircleCheck} title={texts.noJobs} />
          ) : (
            <Table caption={texts.jobs} rows={data} columns={columns} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  )
}
