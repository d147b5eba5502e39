import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  type Column,
  I,
  LinkButton,
  Loaded,
  Page,
  Table,
  Tag,
  Timeline,
  useFormats,
} from '../../../ui/index.ts'
import { egg as eggRead } from './reads.ts'

type EggDetail = components['schemas']['EggDetail']
type Variable = EggDetail['variables'][number]

export function EggPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <Loaded isScreen query={useQuery(eggRead(id))}>
      {(it) => <Shown egg={it} />}
    </Loaded>
  )
}

/** One egg: its variables, its start-up commands, and its changes on the panel. */
function Shown({ egg }: { egg: EggDetail }) {
  const { panels } = useAdminTexts()
  const texts = panels.eggs
  const may = useMay()
  const columns: readonly Column<Variable>[] = [
    {
      head: panels.name,
      cell: ({ name, env }) => (
        <span>
          {name} <span className="mono dim">{env}</span>
        </span>
      ),
    },
    {
      ...{ head: texts.standard, small: 'sub' },
      cell: ({ default: standard }) => <span className="mono">{standard || '–'}</span>,
    },
    {
      ...{ head: texts.rules, small: 'hide' },
      cell: ({ rules }) => <span className="mono">{rules.join(' ')}</span>,
    },
    {
      ...{ head: texts.editable, small: 'hide' },
      cell: ({ editable, viewable }) => (
        <Tag tone={editable ? 'active' : 'ended'}>
          {editable ? texts.editable : viewable ? texts.visible : texts.hidden}
        </Tag>
      ),
    },
  ]
  return (
    <Page
      title={egg.name}
      sub={egg.description ?? egg.author}
      actions={
        may('store:write') && !egg.archivedAt ? (
          <LinkButton to="/admin/products/new">{texts.sell}</LinkButton>
        ) : egg.archivedAt ? (
          <Tag tone="ended">{texts.archived}</Tag>
        ) : null
      }
    >
      <div className="stack">
        <Card title={texts.variables} flush>
          <Table
            caption={texts.variables}
            rows={egg.variables}
            columns={columns}
            rowKey={({ env }) => env}
          />
        </Card>
        <Card title={texts.images}>
          <ul className="stack s4">
            {egg.dockerImages.map(({ label, image }) => (
              <li key={image}>
                {label} <span className="mono dim">{image}</span>
              </li>
            ))}
          </ul>
        </Card>
        <Card title={texts.startup}>
          <div className="stack s8">
            {egg.startupCommands.map(({ label, command }) => (
              <div key={label}>
                <div className="sub">{label}</div>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys. */}
                <pre className="code" tabIndex={0}>
                  {command}
                </pre>
              </div>
            ))}
          </div>
        </Card>
        <Changes egg={egg} />
      </div>
    </Page>
  )
}

function Changes({ egg }: { egg: EggDetail }) {
  const { panels } = useAdminTexts()
  const texts = panels.eggs
  const { moment } = useFormats()
  const words = (change: EggDetail['changes'][number]) => [
    ...change.variables.map((it) =>
      it.change === 'changed'
        ? texts.changed(it.env, it.fields.join(', '))
        : texts[it.change](it.env),
    ),
    ...change.images.added.map((it) => texts.added(`${texts.image} ${it}`)),
    ...change.images.removed.map((it) => texts.removed(`${texts.image} ${it}`)),
    ...change.startup.added.map((it) => texts.added(`${texts.command} ${it}`)),
    ...change.startup.removed.map((it) => texts.removed(`${texts.command} ${it}`)),
  ]
  return (
    <Card title={texts.changes}>
      {egg.changes.length === 0 ? (
        <p className="sub">{texts.noChanges}</p>
      ) : (
        <Timeline
          entries={egg.changes.map((change) => ({
            ...{ key: change.at, icon: I.GitCompare, tone: 'waiting' as const },
            what: words(change).join(' · '),
            when: moment(change.at),
          }))}
        />
      )}
    </Card>
  )
}
