import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActionDialog, FileButton, Select, Switch } from '../../../ui/index.ts'

type Source = 'whmcs' | 'paymenter' | 'fossbilling'

type StartProps = {
  readonly close: () => void
  /** The import of the same file after a dry run. */
  readonly isReal?: boolean
}

/** Uploads a dump. The first run is a dry run, which changes nothing. */
export function StartImport({ close, isReal = false }: StartProps) {
  const { imports: texts } = useAdminTexts()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [source, setSource] = useState<Source | 'auto'>('auto')
  const [dryRun, setDryRun] = useState(!isReal)
  const upload = useAction(
    (wanted: { name: string; size: number; source: Source | 'auto'; dryRun: boolean }, intent) => {
      const form = new FormData()
      // The fields precede the file, because the service needs them when it starts to read the file.
      form.append('dryRun', String(wanted.dryRun))
      if (wanted.source !== 'auto') form.append('source', wanted.source)
      if (file) form.append('file', file)
      return client.POST('/v1/admin/imports', {
        body: form as never,
        bodySerializer: (body: unknown) => body as FormData,
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
  return (
    <ActionDialog
      opened
      close={close}
      title={isReal ? texts.reallyTitle : texts.start}
      action={dryRun ? texts.upload : texts.reallyImport}
      run={() => file && upload.mutate({ name: file.name, size: file.size, source, dryRun })}
      isRunning={upload.isPending}
      error={upload.error}
      isIncomplete={file === null}
    >
      {isReal ? <p className="dim">{texts.reallyText}</p> : null}
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
    </ActionDialog>
  )
}
