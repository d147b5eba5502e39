import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { base64Of } from '../../../api/files.ts'
import { orNull } from '../../../api/forms.ts'
import { shopPictureOf } from '../../../api/pictures.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, FileButton, I, refused, TextInput, told, useChange } from '../../../ui/index.ts'
import type { Product } from './reads.ts'

type Props = {
  readonly owner: 'products' | 'categories'
  readonly id: string
  readonly image: Product['image']
}

/** The picture of a product or category in the shop: uploads, descriptions and removals are saved at once. */
export function ImageField({ owner, id, image }: Props) {
  const { catalogue } = useAdminTexts()
  const { common } = useTexts()
  const texts = catalogue.image
  const params = { path: { id } }
  const done = () => told(texts.saved)
  const put = useChange(
    (body: { image?: string; alt?: string | null }, intent) =>
      owner === 'products'
        ? client.PUT('/v1/admin/products/{id}/image', { params, body, ...intent })
        : client.PUT('/v1/admin/categories/{id}/image', { params, body, ...intent }),
    { changes: [[owner]], done },
  )
  const remove = useChange(
    (_: null) =>
      owner === 'products'
        ? client.DELETE('/v1/admin/products/{id}/image', { params })
        : client.DELETE('/v1/admin/categories/{id}/image', { params }),
    { changes: [[owner]], done: () => told(texts.removed) },
  )
  const chosen = async (file: File) => {
    const picture = await shopPictureOf(file)
    if (!picture) return refused(common.refused, texts.unusable)
    put.mutate({ image: await base64Of(picture) })
  }
  return (
    <div className="stack s12">
      {image ? (
        <img
          className="shop-picture"
          src={image.url}
          width={image.width}
          height={image.height}
          alt={image.alt ?? texts.current}
        />
      ) : null}
      <p className="sub">{texts.hint}</p>
      <div className="row wrap">
        <FileButton
          variant="default"
          leftSection={<I.Upload size={16} aria-hidden />}
          label={texts.choose}
          accept="image/png,image/jpeg,image/webp"
          choose={(file) => void chosen(file)}
          loading={put.isPending}
        >
          {image ? texts.replace : texts.choose}
        </FileButton>
        {image ? (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(null)}>
            {texts.remove}
          </Button>
        ) : null}
      </div>
      {image ? (
        <Alt
          key={image.alt}
          alt={image.alt ?? ''}
          save={(alt) => put.mutate({ alt: orNull(alt) })}
        />
      ) : null}
    </div>
  )
}

/** The description of the picture; saved when the field loses the focus. */
function Alt({ alt, save }: { alt: string; save: (alt: string) => void }) {
  const texts = useAdminTexts().catalogue.image
  const [typed, type] = useState(alt)
  const saved = () => {
    if (typed.trim() !== alt) save(typed)
  }
  return (
    <TextInput
      label={texts.alt}
      description={texts.altHint}
      maxLength={200}
      autoComplete="off"
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={saved}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // The field may be inside another form, which must not be submitted.
        event.preventDefault()
        saved()
      }}
    />
  )
}
