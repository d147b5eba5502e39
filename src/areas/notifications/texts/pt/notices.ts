import { formatAmount } from '#lib/currency.ts'
import { plural } from '#lib/plural.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'pt')
}

function day(value: string): string {
  return dayText(value, 'pt-PT')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Manutenção cancelada: '
  return step === 'completed' ? 'Manutenção concluída: ' : 'Manutenção, novidades: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'pt-PT')
}

const VIEW_STATUS = 'Ver o estado'
const VIEW_TICKET = 'Ver o pedido'
const NOT_YOU = 'Se não reconhece esta ação, altere a palavra-passe e contacte-nos.'
const NOT_ASKED = 'Se não fez este pedido, ignore este e-mail.'
const VIEW_INVOICE = 'Ver a fatura'
const PAY = 'Pagar agora'
const OPEN_SERVICE = 'Ver o serviço'
const OPEN_SERVER = 'Abrir o servidor'
const SECURITY = 'Verificar a segurança da conta'
const COMMISSION = 'Ver as comissões'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'servidor' : 'serviço')
const UPGRADE_OBSTACLES = {
  no_capacity: 'Neste momento, não há espaço disponível.',
  disk_in_use:
    'Usa mais espaço em disco do que o novo plano tem: elimine aquilo de que não precisa.',
  ports_in_use: 'Tem mais portas do que o novo plano permite: remova algumas.',
  databases_in_use: 'Tem mais bases de dados do que o novo plano permite: elimine algumas.',
  backups_in_use: 'Tem mais cópias de segurança do que o novo plano permite: elimine algumas.',
}
const FACTORS = { totp: 'Uma aplicação de autenticação', passkey: 'Uma chave de acesso' }

/** Notifications and mails in Portuguese. */
export const texts: Texts = {
  greeting: (name) => (name ? `Olá ${name},` : 'Olá,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'pt')
      const isDue = it.dueCents > 0
      return {
        title: `A sua fatura de ${amount(it)}`,
        body: !isDue
          ? `Aqui está a sua fatura ${it.number} de ${amount(it)}. Não há nada a pagar.`
          : it.dueOn
            ? `A fatura ${it.number} vence a ${day(it.dueOn)}. Valor a pagar: ${due}.`
            : `A fatura ${it.number} está por pagar. Valor a pagar: ${due}.`,
        rows: [
          ['Fatura', it.number],
          ['Total', amount(it)],
          ['Valor a pagar', due],
          ...(isDue && it.dueOn ? [['Vencimento', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `Fizemos uma encomenda para si: ${amount(it)}`,
      body: it.dueOn
        ? `A sua encomenda ${it.number} aguarda o seu pagamento de ${amount(it)} até ${day(it.dueOn)}. Se não a quiser, não tem de fazer nada: termina nesse dia.`
        : `Fizemos a encomenda ${it.number} para si. Não há nada a pagar.`,
      rows: [
        ['Encomenda', it.number],
        ['Total', amount(it)],
        ...(it.dueOn ? [['A pagar até', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `Recebemos o seu pagamento de ${amount(it)}`,
      body: `A fatura ${it.number} de ${amount(it)} está paga. Obrigado.`,
      rows: [
        ['Fatura', it.number],
        ['Valor pago', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `O seu pagamento de ${amount(it)} falhou`,
      body: `Não foi possível cobrar ${amount(it)}${it.number ? ` da fatura ${it.number}` : ''}. ${PAYMENT_FAILURES[it.why]} Pode tentar novamente em qualquer altura.`,
      rows: [...(it.number ? [['Fatura', it.number] as const] : []), ['Valor a pagar', amount(it)]],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Confirme o seu pagamento de ${amount(it)}`,
      body: `O seu banco pede que confirme o pagamento de ${amount(it)}${it.number ? ` da fatura ${it.number}` : ''}.`,
      rows: [...(it.number ? [['Fatura', it.number] as const] : []), ['Valor', amount(it)]],
      action: 'Confirmar o pagamento',
    }),
    refund_made: (it) => ({
      title: `O seu reembolso de ${amount(it)}`,
      body: it.toCredit
        ? `Adicionámos ${amount(it)} da fatura ${it.number} ao seu crédito.`
        : `Reembolsámos ${amount(it)} da fatura ${it.number} para o seu método de pagamento. Pode demorar alguns dias a chegar.`,
      rows: [
        ['Fatura', it.number],
        ['Reembolso', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `O seu crédito aumentou ${amount(it)}`,
      body: `Adicionámos ${amount(it)} ao seu crédito. ${CREDIT_REASONS[it.why]}`,
      rows: [['Crédito adicionado', amount(it)]],
      action: 'Ver o crédito',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'O produto que encomendou esgotou',
            body: `O seu pagamento chegou depois de a última unidade ter sido vendida. Adicionámos ${amount(it)} ao seu crédito.`,
            rows: [['Crédito adicionado', amount(it)]],
          }
        : {
            title: 'O produto que encomendou esgotou',
            body: 'A última unidade foi vendida enquanto processávamos a sua encomenda. Não lhe foi cobrado nada.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} está ativo`,
            body: 'O seu pagamento chegou e o seu serviço está ativo.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} está pronto`,
              body: 'A entrega está feita. A página do serviço tem tudo aquilo de que precisa.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} está pronto`,
              body: it.address
                ? `O seu servidor está pronto para jogar em ${it.address}.`
                : 'O seu servidor está pronto.',
              rows: it.address ? [['Endereço', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `Ainda não foi possível instalar ${it.name}`,
            body: 'O seu pagamento está seguro. Estamos a analisar o problema e vamos instalar o servidor ou devolver-lhe o valor pago.',
            action: OPEN_SERVER,
          }
        : {
            title: `Ainda não foi possível entregar ${it.name}`,
            body: 'O seu pagamento está seguro. Estamos a analisar o problema e vamos entregar o serviço ou devolver-lhe o valor pago.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `Estamos a preparar ${it.name}`,
      body: `O seu pagamento chegou. Entregamos o serviço até ${day(it.dueOn)} e avisamos quando estiver pronto.`,
      rows: [['Entrega até', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} foi reinstalado`,
      body: 'A reinstalação está concluída. Já pode iniciar o servidor.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `Não foi possível reinstalar ${it.name}`,
      body: 'A reinstalação falhou. Verifique as definições e tente novamente ou contacte-nos.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} parou inesperadamente`,
      body: 'O motivo está no fim do que a consola mostra. Enviamos, no máximo, três destas mensagens por dia.',
      action: 'Abrir a consola',
    }),
    service_suspended: (it) => ({
      title: `${it.name} está suspenso`,
      body: it.unpaid
        ? `Nada foi eliminado. Pague o valor em dívida e o ${nounOf(it)} fica logo disponível.`
        : 'Nada foi eliminado. Contacte-nos para saber mais.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} está novamente disponível`,
      body: !hasServer(it)
        ? 'O serviço já não está suspenso.'
        : 'O servidor já não está suspenso. Pode voltar a iniciá-lo.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} terminou`,
      body: it.deleteOn
        ? `O servidor foi desligado. Os dados serão eliminados a ${day(it.deleteOn)}.`
        : !hasServer(it)
          ? 'O serviço terminou. Não lhe será cobrado mais nada por ele.'
          : 'O servidor foi desligado e os dados foram eliminados.',
      rows: it.deleteOn ? [['Eliminação dos dados', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} termina a ${day(it.endsOn)}`,
      body: 'A renovação não está prevista. Para o manter, renove-o antes desse dia.',
      rows: [['Fim', day(it.endsOn)]],
      action: 'Renovar',
    }),
    renewal_invoice: (it) => ({
      title: `Renovação de ${it.name}: ${amount(it)}`,
      body: `O próximo período de ${it.name} tem de ser pago até ${day(it.dueOn)}. Valor a pagar: ${amount(it)}.`,
      rows: [
        ['Fatura', it.number],
        ['Período', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Valor a pagar', amount(it)],
        ['Vencimento', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Lembrete de pagamento: ${amount(it)} por ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Falta pagar ${amount(it)} pelo tempo até ao fim do ${nounOf(it)}. A fatura venceu a ${day(it.dueOn)}.`
          : it.next === 'end'
            ? `O pagamento de ${amount(it)} venceu a ${day(it.dueOn)}. O ${nounOf(it)} está suspenso. Sem pagamento, termina a ${day(it.on)}${!hasServer(it) ? '' : ' e os dados são eliminados alguns dias depois'}.`
            : `O pagamento de ${amount(it)} vence a ${day(it.dueOn)}. Sem pagamento, suspendemos o ${nounOf(it)} a ${day(it.on)}.`,
      rows: [
        ['Fatura', it.number],
        ['Valor a pagar', amount(it)],
        ['Vencimento', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Fim' : 'Suspensão', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `O preço de ${it.name} vai mudar`,
      body: `O primeiro período que comece a ${day(it.effectiveFrom)} ou depois custa ${amount(it)}. Pode cancelar antes dessa data.`,
      rows: [
        ['Novo preço', amount(it)],
        ['A partir de', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} passou para ${it.product}`,
      body: !hasServer(it)
        ? 'A mudança está concluída.'
        : 'A mudança está concluída. Reinicie o servidor para usar os novos limites.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title: `${it.days} ${plural('pt-PT', it.days, 'dia', 'dias')} grátis para ${it.name}`,
      body: `${it.reason} O seu próximo período começa a ${day(it.until)}. Não paga nada por estes dias.`,
      rows: [
        ['Dias grátis', String(it.days)],
        ['Próximo período', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `Não foi possível passar ${it.name} para ${it.product}`,
      body: it.isPaidBack
        ? `O ${nounOf(it)} fica como estava. Adicionámos ao seu crédito o que pagou pela mudança.`
        : `O ${nounOf(it)} fica como estava.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `Ainda não é possível passar ${it.name} para ${it.product}`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Continuamos a tentar até ${day(it.until)}. Depois disso, o servidor e o preço ficam como estão.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} partilha ${it.service} consigo`,
      body: 'Abra o convite para o aceitar ou recusar.',
      action: 'Abrir o convite',
    }),
    commission_earned: (it) => ({
      title: `Ganhou ${amount(it)}`,
      body: 'Um cliente recomendado por si fez um pagamento. Pode usar a comissão depois do período de espera.',
      rows: [['Comissão', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `Comissão disponível: ${amount(it)}`,
      body: `O período de espera terminou. Pode converter a comissão em crédito a partir de ${formatAmount(2000, it.currency, 'pt')}.`,
      rows: [['Disponível', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `Comissão anulada: ${amount(it)}`,
      body: 'Um pagamento de um cliente recomendado por si foi reembolsado, devolvido pelo banco ou não foi aceite.',
      rows: [['Anulada', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `Comissão reposta: ${amount(it)}`,
      body: 'Um pagamento que tinha sido devolvido pelo banco acabou por ser pago.',
      rows: [['Reposta', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Um membro da nossa equipa está a ver a sua conta',
      body: 'Durante 30 minutos, no máximo, essa pessoa vê o mesmo que aparece na sua conta. Não pode ver nem alterar os seus dados de início de sessão ou de pagamento.',
    }),
    admin_attention: (it) => ({ action: 'Ver os detalhes', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'A sua palavra-passe foi alterada',
      body: `Todas as sessões foram terminadas e as suas chaves de API foram revogadas. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Tentativa de registo com o seu endereço',
      body: 'Já tem uma conta, por isso não foi aberta outra. Se fez esta tentativa, inicie sessão ou, se se esqueceu da palavra-passe, reponha-a. Caso contrário, não precisa de fazer nada.',
      action: 'Ir para a conta',
    }),
    session_stolen: () => ({
      title: 'Terminámos uma das suas sessões',
      body: `Um token dessa sessão foi usado duas vezes, por isso alguém pode tê-lo copiado. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `Terminámos a sua sessão em ${it.application}`,
      body: `Um token que ${it.application} tem para a sua conta foi usado duas vezes, por isso alguém pode tê-lo copiado. Volte a iniciar sessão nessa aplicação. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} protege agora a sua conta`,
      body: `A partir de agora, é preciso um segundo fator para iniciar sessão. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} foi removida da sua conta`,
      body: `Já não pode ser usada para iniciar sessão. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Tem novos códigos de recuperação',
      body: `Os códigos antigos já não funcionam. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'Foi usado um código de recuperação',
      body: `${plural('pt-PT', it.left, `Resta ${it.left} código`, `Restam ${it.left} códigos`)}. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `A chave de acesso ${it.name} foi recusada`,
      body: 'O contador recuou, por isso pode existir uma cópia. Remova a chave de acesso, a menos que saiba o motivo.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `A conta ${providerName(it.provider)} ${it.name} foi associada`,
      body: `Está agora associada à sua conta. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `A conta ${providerName(it.provider)} ${it.name} foi desassociada`,
      body: `Já não está associada à sua conta. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Não foi possível confirmar o seu número de IVA ${it.vatNumber}`,
      body: 'Não consta do registo da UE (VIES). As suas próximas faturas incluem IVA até que o seu perfil tenha um número válido. As faturas existentes não mudam.',
      action: 'Verificar os dados de faturação',
    }),
    ticket_opened: (it) => ({
      title: `Escrevemos-lhe: pedido ${it.number}`,
      body: `Há uma mensagem para si no pedido ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Resposta ao pedido ${it.number}`,
      body: `Há uma nova mensagem no pedido ${it.number}.${attachedText('pt', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `O pedido ${it.number} está fechado`,
      body: `Fechámos o pedido ${it.number}. Se faltar resolver alguma coisa, escreva nele e será reaberto.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `O pedido ${it.number} será fechado a ${day(it.closesOn)}`,
      body: `Há uma resposta no pedido ${it.number} e desde então nada foi escrito. Se faltar resolver alguma coisa, escreva nele e continuará aberto.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Novo pedido ${it.number}`,
      body: `Um cliente abriu o pedido ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `O pedido ${it.number} foi-lhe atribuído`,
      body: `O pedido ${it.number} foi-lhe atribuído.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Um cliente escreveu no pedido ${it.number}`,
      body: `Há uma nova mensagem do cliente no pedido ${it.number}.${attachedText('pt', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Os nossos e-mails não lhe chegam',
      body: `O servidor de e-mail de ${it.address} indica que este endereço não existe. Não enviamos nada para lá até que volte a confirmar o endereço ou escolha outro.`,
    }),
    incident_opened: (it) => ({
      title: `Incidente: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Incidente, novidades: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Resolvido: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Manutenção planeada: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Saber mais' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Confirme o seu endereço de e-mail',
      body: 'Confirme que este endereço de e-mail é seu.',
      action: 'Confirmar o endereço',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Reponha a sua palavra-passe',
      body: 'Pediu para repor a sua palavra-passe. Use o botão para escolher uma nova.',
      action: 'Escolher nova palavra-passe',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'A sua conta está pronta',
      body: 'Criámos uma conta para si com este endereço de e-mail. Use o botão para escolher uma palavra-passe. A ligação é válida durante 7 dias.',
      action: 'Escolher palavra-passe',
      after: 'Se não espera uma conta connosco, ignore este e-mail.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} partilha um servidor consigo`,
      body: `${inviter} enviou-lhe um convite para usar o servidor ${service}.`,
      action: 'Abrir o convite',
      after: 'Se não conhece esta pessoa, ignore este e-mail.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Um novo endereço de e-mail para a sua conta',
      body: `Alguém pediu para substituir este endereço por ${newEmail}. Este endereço continua válido até o novo ser confirmado. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'E-mail de teste',
      body: 'O seu servidor de e-mail aceitou este e-mail. Os e-mails para os seus clientes são enviados da mesma forma.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'Há mais assuntos que requerem a sua atenção',
      body: `Surgiram mais de ${times} assuntos numa hora, por isso os restantes não são enviados por e-mail. Encontra-os todos nas suas notificações.`,
      action: 'Ver as notificações',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'O seu endereço de e-mail foi alterado',
      body: `A sua conta usa agora ${newEmail} em vez deste endereço. ${NOT_YOU}`,
    }),
  },
}
