/** Many servers are described in Chinese, where two characters are one term: what they mean in English. */
export const chineseWords = `
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
