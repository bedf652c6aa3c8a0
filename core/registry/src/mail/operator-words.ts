import type { RenewalProblem } from '../renewal/index.js'
import type { Language } from './render-mail.js'

type Reason = RenewalProblem['reason']

/** What mails to the operator say beside their headings. */
export interface OperatorWords {
  readonly problems: Readonly<Record<Reason, string>>
  readonly steps: Readonly<Record<Reason | 'look' | 'ended' | 'restarted', string>>
  readonly since: (what: string, time: string) => string
}

/** The words of mails to the operator by language. */
export const operatorWords: Readonly<Record<Language, OperatorWords>> = {
  en: {
    problems: {
      authority: 'the time-stamping authority gives no time stamp that can be used',
      endsSooner: 'a new time stamp would hold no longer than the one that it should renew',
      time: 'the time-stamping authority dates its time stamps wrongly',
      record: 'evidence records cannot be verified any more',
      digest: 'no digest for new trees is trusted for long enough',
    },
    steps: {
      look: 'Run “signed-registry admin renewal”: it shows what ends when, and what is in the way.',
      authority: 'See whether the authority answers, or name another one: RENEWAL_TSP_URL.',
      endsSooner: 'Name an authority whose certificate lasts longer: RENEWAL_TSP_URL.',
      time: 'Compare the clocks of the hosts and of the authority, or name another one: RENEWAL_TSP_URL.',
      record:
        'See whether a root is missing or the policy of algorithms is wrong; if neither, run signed-registry admin renew.',
      digest: 'Name a stronger digest: RENEWAL_DIGESTS.',
      ended: 'Keep the backups of the time before the end: they may still prove what the database proves no more.',
      restarted: 'Nothing has to be done for the records themselves: they are made anew over the same signatures.',
    },
    since: (what, time) => `${what}, since ${time}`,
  },
  ru: {
    problems: {
      authority: 'служба меток времени не выдаёт метку, которую можно использовать',
      endsSooner: 'новая метка времени действовала бы не дольше той, которую должна продлить',
      time: 'служба меток времени ставит неверное время',
      record: 'записи доказательств больше не проверяются',
      digest: 'ни одному алгоритму хеширования для новых деревьев нельзя доверять достаточно долго',
    },
    steps: {
      look: 'Выполните «signed-registry admin renewal»: команда покажет, что и когда заканчивается и что мешает.',
      authority: 'Проверьте, отвечает ли служба, или укажите другую: RENEWAL_TSP_URL.',
      endsSooner: 'Укажите службу, сертификат которой действует дольше: RENEWAL_TSP_URL.',
      time: 'Сверьте часы серверов и службы или укажите другую: RENEWAL_TSP_URL.',
      record:
        'Проверьте, не пропал ли корневой сертификат и верна ли политика алгоритмов; если всё верно, выполните signed-registry admin renew.',
      digest: 'Укажите более стойкий алгоритм: RENEWAL_DIGESTS.',
      ended:
        'Сохраните резервные копии, сделанные до окончания: они могут доказать то, чего база данных уже не доказывает.',
      restarted: 'С самими записями делать ничего не нужно: они создаются заново над теми же подписями.',
    },
    since: (what, time) => `${what}, с ${time}`,
  },
  kk: {
    problems: {
      authority: 'уақыт белгілері қызметі пайдалануға болатын белгі бермейді',
      endsSooner: 'жаңа уақыт белгісі ұзартылатын белгіден ұзақ жарамайды',
      time: 'уақыт белгілері қызметі уақытты қате қояды',
      record: 'дәлелдеме жазбалары енді тексерілмейді',
      digest: 'жаңа ағаштарға арналған хештеу алгоритмдерінің ешқайсысына жеткілікті ұзақ сенуге болмайды',
    },
    steps: {
      look: '«signed-registry admin renewal» пәрменін орындаңыз: ол ненің қашан аяқталатынын және не кедергі екенін көрсетеді.',
      authority: 'Қызметтің жауап беретінін тексеріңіз немесе басқасын көрсетіңіз: RENEWAL_TSP_URL.',
      endsSooner: 'Сертификаты ұзағырақ жарамды қызметті көрсетіңіз: RENEWAL_TSP_URL.',
      time: 'Серверлер мен қызметтің сағаттарын салыстырыңыз немесе басқасын көрсетіңіз: RENEWAL_TSP_URL.',
      record:
        'Түбірлік сертификат жоғалмаған ба және алгоритмдер саясаты дұрыс па, тексеріңіз; бәрі дұрыс болса, signed-registry admin renew орындаңыз.',
      digest: 'Беріктірек алгоритмді көрсетіңіз: RENEWAL_DIGESTS.',
      ended:
        'Аяқталғанға дейінгі сақтық көшірмелерді сақтаңыз: дерекқор енді дәлелдей алмайтынды олар дәлелдеуі мүмкін.',
      restarted: 'Жазбалардың өзімен ештеңе істеудің қажеті жоқ: олар сол қолтаңбалар бойынша қайта жасалады.',
    },
    since: (what, time) => `${what}, ${time} бастап`,
  },
}
