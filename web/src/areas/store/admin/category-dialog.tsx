import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { FormDialog, RemoveButton, Switch, Textarea, TextInput, told } from '../../../ui/index.ts'
import { ImageField } from './image-field.tsx'
import { type Category, categories } from './reads.ts'
import { TranslationFields } from './translations.tsx'

type Props = { readonly category: Category | null; readonly close: () => void }

function fieldsOf(category: Category | null) {
  return {
    ...{ name: category?.name ?? '', slug: category?.slug ?? '' },
    ...{ description: category?.description ?? '', hidden: category?.hidden ?? false },
    translations: category?.translations ?? {},
  }
}

/** Name, address and text of a category. */
export function CategoryDialog({ category, close }: Props) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.category
  const params = { path: { id: category?.id ?? '' } }
  // The picture is saved at once, the rest with the form.
  const shown = useQuery(categories).data?.find(({ id }) => id === category?.id)
  const form = useForm({
    name: `category:${category?.id ?? 'new'}`,
    saved: fieldsOf(category),
    call: ({ name, slug, description, hidden, translations }, intent) => {
      const body = {
        ...{ name: name.trim(), hidden, description: orNull(description), translations },
        ...(slug.trim() && { slug: slug.trim() }),
      }
      return category
        ? client.PATCH('/v1/admin/categories/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/categories', { body, ...intent })
    },
    edits: category && {
      ...{ read: () => client.GET('/v1/admin/categories/{id}', { params }), fieldsOf },
    },
    changes: [['categories']],
    done: () => {
      told(texts.saved)
      close()
    },
  })
  return (
    <FormDialog
      title={category ? category.name : catalogue.products.addCategory}
      form={form}
      close={close}
      save={texts.save}
      removal={category ? <Removal category={category} close={close} /> : null}
    >
      <TextInput {...form.text('name')} label={texts.name} required data-autofocus />
      <TextInput
        {...form.text('slug')}
        label={texts.slug}
        description={texts.slugHint}
        leftSection={<span className="dim">/</span>}
      />
      <Textarea {...form.text('description')} label={texts.description} autosize minRows={2} />
      <Switch {...form.flag('hidden')} label={texts.hidden} />
      <TranslationFields
        value={form.fields.translations}
        change={(translations) => form.set({ translations })}
      />
      {shown ? (
        <div className="stack s8">
          <span className="legend-label">{catalogue.product.picture}</span>
          <ImageField owner="categories" id={shown.id} image={shown.image} />
        </div>
      ) : null}
    </FormDialog>
  )
}

function Removal({ category, close }: { category: Category; close: () => void }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  return (
    <RemoveButton
      verb={texts.removeCategory}
      title={texts.removeCategoryTitle(category.name)}
      call={() =>
        client.DELETE('/v1/admin/categories/{id}', { params: { path: { id: category.id } } })
      }
      changes={[['categories'], ['products']]}
      told={catalogue.category.removed}
      done={close}
    >
      {texts.removeCategoryText}
    </RemoveButton>
  )
}
