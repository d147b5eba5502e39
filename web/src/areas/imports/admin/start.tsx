import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { sendForm } from '../../../api/uploads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActionDialog,
  FileButton,
  Meter,
  Notice,
  Select,
  Switch,
  useFormats,
} from '../../../ui/index.ts'

type Source = 'whmcs' | 'paymenter' | 'fossbilling'

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
