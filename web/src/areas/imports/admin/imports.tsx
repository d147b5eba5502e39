import type { components } from '@moorage/client'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { sendForm } from '../../../api/uploads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActionDialog,
  Button,
  type DataColumn,
  DataList,
  Empty,
  FileButton,
  I,
  Link,
  Meter,
  Notice,
  Page,
  Select,
  Switch,
  Tag,
  useFormats,
} from '../../../ui/index.ts'
import { IMPORT_TONES } from './reads.ts'

type Summary = components['schemas']['ImportSummary']
type Source = 'whmcs' | 'paymenter' | 'fossbilling'

/** The list of imports, and the upload of a new dump. */
export function Imports() {
  const { imports: texts } = useAdminTexts()
  const { moment, fileSize } = useFormats()
  const mayWrite = useMay()('imports:write')
  const [isStarting, start] = useState(false)
  const list = useList(['imports', 'list'], (where, signal) =>
    client.GET('/v1/admin/imports', { params: { query: { ...where, limit: 50 } }, signal }),
  )
  const columns: readonly DataColumn<Summary>[] = [
    {
      ...{ id: 'file', head: texts.fileName, value: ({ file }: Summary) => file.name },
      cell: ({ id, file }) => (
        <Link to="/admin/imports/$id" params={{ id }} className="rowlink">
          {file.name}
        </Link>
      ),
    },
    {
      ...{ id: 'mode', head: texts.mode, small: 'hide' },
      value: ({ dryRun }) => (dryRun ? texts.dryRun : texts.real),
      cell: ({ dryRun }) => (dryRun ? texts.dryRun : texts.real),
    },
    {
      ...{ id: 'size', head: texts.size, right: true, small: 'hide' },
      value: ({ file }) => file.bytes,
      cell: ({ file }) => fileSize(file.bytes),
    },
    {
      ...{ id: 'started', head: texts.started, small: 'sub' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      ...{ id: 'status', head: texts.status, small: 'second' },
      value: ({ status }) => texts.statuses[status],
      cell: ({ status }) => <Tag tone={IMPORT_TONES[status]}>{texts.statuses[status]}</Tag>,
    },
  ]
  const button = mayWrite ? (
    <Button leftSection={<I.Upload size={16} aria-hidden />} onClick={() => start(true)}>
      {texts.start}
    </Button>
  ) : null
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={(list.rows?.length ?? 0) > 0 ? button : null}
    >
      <DataList
        name="imports"
        caption={texts.title}
        list={list}
        columns={columns}
        empty={
          <Empty icon={I.Database} title={texts.none} action={button}>
            {texts.noneText}
          </Empty>
        }
      />
      {isStarting ? <StartImport close={() => start(false)} /> : null}
    </Page>
  )
}

type StartProps = {
  readonly close: () => void
  /** The file of a dry run whose import is started. */
  readonly checked?: { readonly name: string; readonly bytes: number } | null
}

/** Uploads a dump. The first run is a dry run, which changes nothing. */
export function StartImport({ close, checked = null }: StartProps) {
  const { imports: texts } = useAdminTexts()
  const navigate = useNavigate()
  const { percent } = useFormats()
  const [file, setFile] = useState<File | null>(null)
  const [source, setSource] = useState<Source | 'auto'>('auto')
  const [dryRun, setDryRun] = useState(checked === null)
  const isOther = file !== null && checked !== null && file.size !== checked.bytes
  const [sent, setSent] = useState(0)
  const stopper = useRef(new AbortController())
  const upload = useAction(
    (wanted: { name: string; size: number; source: Source | 'auto'; dryRun: boolean }, intent) => {
      const form = new FormData()
      // The fields precede the file, because the service needs them when it starts to read the file.
      form.append('dryRun', String(wanted.dryRun))
      stopper.current = new AbortController()
      setSent(0)
      if (wanted.source !== 'auto') form.append('source', wanted.source)
      if (file) form.append('file', file)
      return client.POST('/v1/admin/imports', {
        body: form as never,
        bodySerializer: (body: unknown) => body as FormData,
        fetch: sendForm(form, { sent: setSent, signal: stopper.current.signal }),
        ...intent,
      })
    },
    {
      changes: [['imports']],
      done: ({ id }) => {
        close()
        void navigate({ to: '/admin/imports/$id', params: { id } })
      },
    },
  )
  useWarnedToLeave(upload.isPending)
  // A closed dialog uploads nothing: the file would be imported without anyone watching.
  const stop = () => {
    stopper.current.abort()
    close()
  }
  return (
    <ActionDialog
      opened
      close={stop}
      title={checked ? texts.reallyTitle : texts.start}
      action={dryRun ? texts.upload : texts.reallyImport}
      run={() => file && upload.mutate({ name: file.name, size: file.size, source, dryRun })}
      isRunning={upload.isPending}
      error={upload.error}
      isIncomplete={file === null}
    >
      {checked ? <p className="dim">{texts.reallyText(checked.name)}</p> : null}
      <div className="stack s8">
        <span className="legend-label">{texts.file}</span>
        <span className="sub">{texts.fileHint}</span>
        <div className="row wrap">
          <FileButton
            variant="default"
            label={texts.file}
            accept=".sql,.gz,.zip"
            choose={setFile}
            data-autofocus
          >
            {texts.chooseFile}
          </FileButton>
          <span className="dim cut">{file?.name ?? texts.noFile}</span>
        </div>
        {isOther ? (
          <Notice tone="attention" title={texts.otherFile}>
            {texts.otherFileText}
          </Notice>
        ) : null}
      </div>
      <Select
        label={texts.source}
        allowDeselect={false}
        value={source}
        data={(['auto', 'whmcs', 'paymenter', 'fossbilling'] as const).map((value) => ({
          value,
          label: texts.sources[value],
        }))}
        onChange={(value) => setSource((value ?? 'auto') as Source | 'auto')}
      />
      <Switch
        label={texts.dryRun}
        description={texts.dryRunHint}
        checked={dryRun}
        onChange={(event) => setDryRun(event.currentTarget.checked)}
      />
      {upload.isPending ? (
        <div className="stack s8">
          <Meter ratio={Math.min(sent, 0.89)} label={texts.uploading(percent(sent))} />
          <p className="dim">
            {texts.uploading(percent(sent))} · {texts.uploadingHint}
          </p>
        </div>
      ) : null}
    </ActionDialog>
  )
}

/** Has the browser ask before the page is left, which would stop what runs in it. */
function useWarnedToLeave(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isRunning])
}
