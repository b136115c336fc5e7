import { stem } from '../../base/stem.ts';

/** Groups of interchangeable words, separated by slashes. */
const synonymGroups = `
  create add new make insert / create generate produce compose / generate draw render plot /
  write save store / write edit / write add insert append / update edit modify change set alter patch / rename move /
  delete remove erase drop destroy clear / cancel abort stop terminate kill end /
  start run launch execute begin trigger / open launch / close shut /
  search find query lookup locate discover seek / search explore browse /
  list show display enumerate view browse / get fetch retrieve obtain read load / get show view /
  download fetch save / upload attach import / export download save dump / send post deliver message /
  send share / reply respond answer / publish post release deploy /
  convert transform translate change turn / convert export / translate translation language /
  parse extract read / extract scrape crawl harvest / merge combine join concatenate unite /
  split divide separate cut / compare diff difference contrast / copy duplicate clone replicate /
  check verify validate test inspect / check monitor watch / inspect examine investigate /
  analyze analyse analysis evaluate assess examine / analysis analytics statistic insight /
  calculate compute evaluate math arithmetic / count number total amount / measure calculate /
  sum total add / summarize summary abstract overview digest brief /
  describe explain detail information / detail info information metadata / sort order rank arrange /
  rank ranking top trending popular hot leaderboard / filter narrow restrict / choose select pick /
  recommend suggest recommendation suggestion similar / plan schedule organize arrange /
  plan itinerary agenda / book reserve booking reservation / buy purchase order checkout /
  pay payment transaction charge / sell trade / subscribe follow watch /
  notify alert notification reminder / schedule remind reminder / assign allocate delegate /
  approve accept confirm / reject decline deny refuse / enable activate / disable deactivate /
  install setup / configure setting config configuration preference option /
  login signin authenticate authentication auth / authorize permission access /
  register signup enroll / encrypt cipher encode / decrypt decipher decode /
  compress zip archive pack / decompress unzip extract unpack / resize scale / crop trim cut /
  rotate turn flip / highlight emphasize mark / format style layout / insert embed place put /
  replace substitute / undo revert restore rollback / refresh reload sync synchronize /
  connect link attach / wait pause delay sleep / click press tap / type enter fill /
  navigate visit goto open / scroll swipe / record capture log track / play listen stream /
  transcribe transcription transcript subtitle caption / speak speech voice narrate /
  predict forecast prediction projection / estimate approximate / train fit / learn study /
  debug troubleshoot diagnose / fix repair resolve solve / solve solution / build compile /
  deploy release / test try / crawl spider / think reason reasoning thought /
  remember memory recall memorize / store memory / generate random / issue ticket bug /
  task todo ticket job / repo repository project / commit changeset revision / branch ref /
  pr pull merge / review comment feedback / code source program script / code snippet /
  function procedure / package library module dependency / version release / log logs history /
  history past previous earlier / error exception failure / db database sql / table sheet relation /
  row record entry / column field attribute / field property attribute / schema structure model /
  query sql / index catalog / key identifier id / user person member people account / user profile /
  account profile / username handle / team group organization org / role permission /
  folder directory path / file document doc / path location / terminal shell console command bash /
  command execute run / process task / container docker pod / cluster kubernetes k8s /
  vm instance machine / host machine computer / cpu processor / memory ram / storage disk bucket /
  cloud aws azure gcp / network internet / ip address / domain hostname dns / port socket /
  request call / endpoint api url / url link website webpage page site web uri / website homepage /
  html webpage page / web internet online / browser chrome tab / screenshot capture snapshot /
  dom element node / node element entity / edge relation relationship link / graph network /
  cache memory / queue job / cron schedule / webhook hook callback / token credential /
  password secret credential / environment env variable / variable parameter / metric measurement /
  dashboard panel / alert incident alarm / test spec / regex pattern / string text /
  number numeric integer / array list / json object / date day / time hour clock / time timezone /
  datetime timestamp date time / latest recent newest current / current now today present / today day /
  image picture photo photograph img / icon logo symbol / design mockup figma / color colour /
  font typeface / diagram chart graph flowchart / chart plot graph visualization visualize visualise /
  mindmap mind / word term / embedding vector / model llm / prompt instruction / agent assistant bot /
  chat conversation dialogue / tag label keyword / label category / category type kind genre class /
  comment note remark annotation / note memo / todo task reminder / status state progress /
  priority urgency / milestone goal / board kanban / sprint iteration / workflow pipeline automation /
  mail email inbox / email message / message text sms / message chat / channel room /
  thread conversation / contact person people / calendar schedule event agenda /
  event meeting appointment / meeting conference call / invite invitation attendee participant /
  doc document word docx / document paper report / pdf document /
  spreadsheet excel xlsx workbook sheet csv / worksheet sheet / cell range / formula calculation /
  presentation slide powerpoint ppt pptx deck / slide page / paragraph text / heading header title /
  title headline name / name title / bold emphasize / table grid / picture image /
  template boilerplate / form survey questionnaire / customer client buyer / lead prospect /
  deal opportunity / invoice bill receipt / order purchase / employee staff worker /
  salary wage pay compensation / company business firm corporation enterprise organization /
  job career vacancy employment position / resume cv / contract agreement / product item goods /
  price cost fee rate charge / price quote / discount coupon offer deal / budget spending expense /
  revenue income sales earnings / profit gain / tax vat / inventory stock /
  shipment delivery shipping parcel / shop store market / stock share equity ticker / market exchange /
  crypto cryptocurrency bitcoin coin token / currency money / currency exchange forex /
  bank financial finance / finance financial / balance statement / portfolio investment /
  loan mortgage credit / interest rate / payment invoice / weather forecast temperature climate rain /
  temperature heat / place location venue spot / location address position coordinate /
  coordinate latitude longitude geographic gps / geocode address coordinate /
  nearby near close around surrounding / nearby radius vicinity / route direction navigation path /
  distance length far / map geographic / city town / country nation / region area zone /
  area neighborhood district / street road / building property house home / property estate apartment /
  rent rental lease / car vehicle automobile auto / drive driving car / bike bicycle cycling /
  walk walking foot / traffic congestion / parking park / charge charging ev / train rail railway /
  train ticket / flight plane airline airport air / trip travel journey tour vacation /
  travel commute / hotel accommodation lodging stay hostel / restaurant dining eatery /
  food meal dish cuisine / recipe cook cooking dish / ingredient food / drink beverage / grocery food /
  attraction sight landmark / museum gallery / movie film cinema / show series tv / actor cast /
  video clip film movie / video youtube / music song audio track / song lyric / audio sound /
  sound voice / album record / artist musician singer / playlist music / concert event /
  podcast episode / game play gaming / game video / sport match / match game fixture / team club /
  player athlete / score result point / book novel / book author / author writer / library book /
  news headline article / article post blog / article paper / story article / newspaper journal /
  paper publication research study scholar academic / paper arxiv / citation reference /
  research investigation / science scientific / wikipedia encyclopedia wiki / knowledge information /
  fact trivia / definition meaning dictionary / quote quotation / joke humor / social media /
  tweet twitter post / follower fan / video short / trend trending popular hot /
  medical health clinical / disease illness condition / drug medication medicine / patient case /
  doctor physician / trial study / gene genome genetic dna / protein molecule / sequence dna /
  chemical compound molecule / symptom sign / exercise workout fitness / sleep rest /
  school education university / student pupil / teacher instructor / course class lesson / exam test /
  law legal / court case / government public / election vote / tax irs /
  population census demographic / plant flower / animal pet / dog pet / baby child kid / woman female /
  man male / birthday birth / gift present / holiday vacation / wedding marriage /
  horoscope zodiac astrology fortune divination tarot / math mathematical / equation formula /
  matrix linear / mean average / variance deviation / probability chance / statistic data /
  dataset data / random lottery / unit measure / convert unit / qr barcode code / 3d mesh / cad model /
  camera photo / light lamp / device appliance / thermostat temperature / lock secure /
  sensor reading / robot automation / satellite space / star astronomy / earthquake seismic /
  air pollution / water sea ocean / ship vessel / energy power electricity / oil gas fuel /
  farm agriculture crop / get obtain acquire collect gather pull / access open read / access get /
  see view show / check see look / identify detect recognize find / detect discover /
  determine calculate find / design create draw / prepare create make / construct build create /
  develop build create / put add set place / perform conduct run execute / process handle transform /
  review read check / track monitor follow / print show display output / present show / apply set use /
  adjust change modify set / expand extend grow / shrink reduce compress / increase raise /
  decrease reduce lower / organize sort group / group cluster / classify categorize label /
  match compare fit / simulate model / optimize improve enhance / generate build / enter insert type /
  erase clear / find get / search get / list get / query get / lookup get / return get /
  request get ask / retrieve list / find list / content text body / content page article /
  text string content / information data detail / data information / profile overview biography /
  overview introduction / performance statistic metric / figure chart number / level rank tier /
  list collection set / popular top best / best top / famous popular / site platform website /
  near closest nearest / global world international / annual yearly year / daily day / weekly week /
  monthly month / hourly hour / duration length time / period range interval / start begin from /
  end finish until / size dimension / height elevation / width size / position place location /
  shape figure / background backdrop / border frame / button control / screen display / keyboard key /
  mouse cursor / window tab / menu list / step action / action operation / goal target objective /
  rule policy / reason cause / result outcome answer / question query ask / problem issue question /
  answer solution / option choice / opinion review rating / rating score review / feedback review /
  value amount number / quantity amount count / percent percentage rate / average mean /
  maximum max highest / minimum min lowest / sum addition / subtract minus difference /
  multiply product times / divide quotient / power exponent / root sqrt / hospital clinic /
  theater theatre cinema / seat place / passenger traveler rider / taxi cab ride uber lyft /
  bus coach transit / subway metro / station stop / departure leave / arrival arrive /
  luggage baggage / breakfast meal / lunch meal / dinner meal / vegetarian vegan /
  cafe coffee restaurant / bar pub / show concert performance / festival event / play theater /
  genre style / singer vocalist artist / band group / instrument music / hobby interest /
  timer countdown / phone telephone mobile call / device phone / laptop computer /
  app application software program / software program / website app / bedroom room / flat apartment /
  landlord owner / buyer customer / seller vendor merchant / supplier vendor /
  manufacturer brand maker / model version / warranty guarantee / refund return / complaint issue /
  ticket case / agent representative / manager boss / department team / wallet balance account /
  transfer send move pay / withdraw cash / deposit pay / debt loan / insurance policy coverage`;

/** Chinese terms are two characters; their English meanings. */
const chineseWords = `
  搜索 search / 查询 query / 查找 find / 获取 get / 列表 list / 创建 create / 新建 create / 生成 generate / 添加 add /
  删除 delete / 更新 update / 修改 modify / 编辑 edit / 发送 send / 上传 upload / 下载 download / 读取 read / 写入 write /
  保存 save / 打开 open / 关闭 close / 转换 convert / 翻译 translate / 分析 analyze / 计算 calculate / 总结 summarize /
  推荐 recommend / 文件 file / 文档 document / 目录 directory / 图片 image / 图像 image / 视频 video / 音乐 music /
  音频 audio / 网页 webpage / 网站 website / 链接 link / 新闻 news / 热榜 trending / 热门 popular / 天气 weather /
  地图 map / 地址 address / 位置 location / 路线 route / 导航 navigation / 距离 distance / 附近 nearby / 城市 city /
  酒店 hotel / 餐厅 restaurant / 机票 flight / 火车 train / 车站 station / 车票 ticket / 时间 time / 日期 date /
  日历 calendar / 日程 schedule / 会议 meeting / 邮件 email / 邮箱 email / 消息 message / 用户 user / 联系 contact /
  股票 stock / 价格 price / 行情 quote / 基金 fund / 汇率 exchange / 支付 payment / 订单 order / 商品 product /
  公司 company / 企业 company / 表格 table / 数据 data / 幻灯 slide / 演示 presentation / 图表 chart / 论文 paper /
  书籍 book / 电影 movie / 游戏 game / 菜谱 recipe / 健康 health / 医院 hospital / 药品 drug / 代码 code /
  仓库 repository / 问题 issue / 任务 task / 项目 project / 评论 comment / 标签 tag / 语音 voice / 识别 recognize /
  截图 screenshot / 运势 fortune / 记忆 memory /
  查看 view / 查找 search / 检索 search / 搜寻 search / 浏览 browse / 显示 show / 列出 list / 返回 return /
  提取 extract / 抓取 scrape / 爬取 crawl / 解析 parse / 导出 export / 导入 import / 复制 copy / 移动 move /
  重命 rename / 合并 merge / 拆分 split / 比较 compare / 对比 compare / 替换 replace / 插入 insert / 设置 set /
  配置 config / 执行 execute / 运行 run / 启动 start / 停止 stop / 取消 cancel / 登录 login / 注册 register /
  验证 verify / 检查 check / 检测 detect / 测试 test / 监控 monitor / 统计 statistic / 排序 sort / 筛选 filter /
  排名 rank / 排行 rank / 榜单 ranking / 热搜 trending / 热点 trending / 最新 latest / 今日 today / 当前 current /
  实时 current / 历史 history / 预测 forecast / 预报 forecast / 推送 push / 通知 notification / 提醒 reminder /
  订阅 subscribe / 关注 follow / 点赞 like / 收藏 favorite / 分享 share / 发布 publish / 回复 reply / 购买 buy /
  购物 shopping / 优惠 deal / 折扣 discount / 预订 book / 出行 travel / 旅游 travel / 旅行 travel / 行程 itinerary /
  航班 flight / 机场 airport / 高铁 train / 列车 train / 铁路 railway / 地铁 subway / 公交 bus / 驾车 drive /
  步行 walk / 骑行 cycling / 交通 traffic / 停车 parking / 景点 attraction / 美食 food / 坐标 coordinate /
  经纬 coordinate / 周边 nearby / 省份 province / 国家 country / 地区 region / 温度 temperature / 空气 air /
  阴历 lunar / 农历 lunar / 公历 calendar / 黄历 calendar / 节日 holiday / 生日 birthday /
  星座 zodiac / 占卜 divination / 科技 technology / 技术 technology / 互联 internet / 财经 finance /
  金融 finance / 投资 investment / 市场 market / 交易 trade / 货币 currency / 加密 crypto / 银行 bank /
  账户 account / 余额 balance / 发票 invoice / 合同 contract / 客户 customer / 员工 employee / 招聘 job /
  职位 job / 简历 resume / 体育 sport / 足球 football / 篮球 basketball / 比赛 match / 球队 team / 球员 player /
  英雄 hero / 角色 character / 动漫 anime / 动画 animation / 小说 novel / 阅读 read / 图书 book /
  歌曲 song / 歌词 lyric / 专辑 album / 播放 play / 直播 live / 弹幕 comment / 字幕 subtitle / 剪辑 edit /
  照片 photo / 头像 avatar / 颜色 color  绘制 draw / 绘图 draw / 绘画 paint / 二维 qr /
  文本 text / 文字 text / 文章 article / 内容 content / 标题 title / 段落 paragraph / 页面 page / 摘要 summary /
  笔记 note / 知识 knowledge / 百科 encyclopedia / 词典 dictionary / 单词 word / 语言 language / 英文 english /
  中文 chinese / 学习 learn / 学校 school / 课程 course / 考试 exam / 研究 research / 学术 academic / 专利 patent /
  法律 law / 医疗 medical / 疾病 disease / 症状 symptom / 饮食 diet / 运动 exercise / 睡眠 sleep / 模型 model /
  智能 ai / 思考 think / 推理 reason / 数学 math / 公式 formula / 随机 random / 数字 number / 单位 unit / 数量 count /
  密码 password / 权限 permission / 日志 log / 错误 error / 接口 api / 服务 service / 网络 network / 域名 domain /
  主机 host / 终端 terminal / 命令 command / 脚本 script / 函数 function / 变量 variable / 版本 version / 分支 branch /
  提交 commit / 部署 deploy / 容器 container / 集群 cluster / 缓存 cache / 队列 queue / 字段 field / 记录 record /
  状态 status / 类型 type / 分类 category / 名称 name / 参数 parameter / 模板 template / 格式 format / 样式 style /
  布局 layout / 组件 component / 按钮 button / 窗口 window / 屏幕 screen / 设备 device / 手机 phone / 电脑 computer /
  电话 phone / 短信 sms / 微信 wechat / 微博 weibo / 知乎 zhihu / 抖音 douyin / 头条 toutiao / 百度 baidu / 腾讯 tencent /
  淘宝 taobao / 京东 jd / 快递 delivery / 物流 logistics`;

let table: ReadonlyMap<string, readonly string[]> | undefined;

/** Stems the words with the first query: a hub that starts has nothing to search for yet. */
export function synonymsOf(term: string): readonly string[] {
  table ??= tableOf(`${synonymGroups}/${chineseWords}`);
  return table.get(term) ?? [];
}

function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>();
  for (const words of text.split('/')) {
    const group = words.split(/\s+/).filter(Boolean).map(stem);
    for (const term of group) {
      const others = groups.get(term) ?? new Set();
      for (const other of group) if (other !== term) others.add(other);
      groups.set(term, others);
    }
  }
  return new Map([...groups].map(([term, others]) => [term, [...others]]));
}
