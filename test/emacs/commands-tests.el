;;; commands-tests.el --- Commands, keys and buffers  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a person presses and reads: keys, echo-area texts, entry points, and
;; the buffers of tools, servers and the doctor.

;;; Code:

(require 'plugboard-testing)

(declare-function plugboard--label-keys "plugboard")
(declare-function plugboard--transient "plugboard")
(declare-function which-key-add-keymap-based-replacements "ext:which-key")

(defmacro commands--with-servers (states &rest body)
  "Run BODY with a hub whose servers, a, b and so on, are in STATES, and 87 tools."
  (declare (indent 1))
  `(let* ((plugboard-hub--open t) (plugboard-enabled-servers t) (name ?`)
          (plugboard-hub--servers
           (mapcar (lambda (state) (list :id (char-to-string (cl-incf name)) :enabled t
                                         :state (list :kind state)))
                   ,states)))
     (cl-letf (((symbol-function 'plugboard-tools-count) (lambda () 87))) ,@body)))

(defun commands--said (function &rest arguments)
  "Return everything that FUNCTION with ARGUMENTS says in the echo area."
  (let ((said nil))
    (cl-letf (((symbol-function 'message)
               (lambda (format &rest arguments) (push (apply #'format format arguments) said))))
      (apply function arguments))
    (string-join (nreverse said) "\n")))

;;; The echo area and the mode line

(ert-deftest commands-status-texts ()
  "Each overall state has its line, with numbers, failed servers and the doctor's key."
  (plugboard-mode 1)
  (unwind-protect
      (progn
        (let ((plugboard-hub--open nil) (plugboard-hub--problem nil))
          (should (string-prefix-p "MCP: not started" (plugboard-status-text))))
        (dolist (each '((("starting" "ready" "asleep") "MCP: starting (1/3 ready)…")
                        (("failed" "ready" "degraded" "needs-sign-in")
                         "MCP: 2/4 ready (failed: a, d), 87 tools registered")
                        (("ready" "ready") "MCP: 2/2 ready, 87 tools registered")
                        (("failed" "failed") "MCP: all 2 servers failed; C-; a C d finds out why")))
          (commands--with-servers (car each)
            (should (equal (cadr each) (plugboard-status-text)))
            (should (equal (cadr each) (commands--said #'plugboard-status))))))
    (plugboard-mode -1)))

(ert-deftest commands-rest-is-told-once ()
  "A state of rest is told once, when all tools are registered, and not before."
  (plugboard-status-install)
  (unwind-protect
      (commands--with-servers '("ready" "ready")
        (let ((plugboard-tools--queue '(waiting)))
          (should (equal "" (commands--said #'plugboard-status--tell)))
          (should plugboard-status--timer))
        (should (equal "MCP: 2/2 ready, 87 tools registered" (commands--said #'plugboard-status--tell)))
        (should (equal "" (commands--said #'plugboard-status--tell))))
    (plugboard-status-uninstall)))

(ert-deftest commands-mode-line ()
  "The mode line counts ready and failed servers and what waits, unless it is switched off."
  (commands--with-servers '("ready" "failed")
    (let ((plugboard-approvals--waiting '((:id "x"))))
      (should (equal " Plug:1!1?1" (substring-no-properties (plugboard-status-lighter)))))
    (let ((plugboard-mode-line nil)) (should (equal " Plug" (plugboard-status-lighter))))))

(ert-deftest commands-wait-counts-down ()
  "Waiting says how many seconds are left, and returns the overall state."
  (testing-with-chat
    (should (string-match-p "2/2 ready, [0-9]+ tools" (commands--said #'plugboard-wait-until-ready)))
    (should (string-match-p "waiting [0-9]+ s…" (commands--said #'plugboard-wait-until-ready 5)))
    (should (eq 'ready (plugboard-wait-until-ready 5)))))

;; Lists and events come by different connections.
(ert-deftest commands-late-lists-hide-nothing ()
  "A list of servers or tools that is older than an event or another list changes nothing back."
  (let ((plugboard-hub--servers (list (list :id "a" :enabled t :state (list :kind "starting"))))
        (plugboard-hub--reading 0) (plugboard-tools--active t) (plugboard-tools--refresh nil)
        (answers nil) (taken nil))
    (cl-letf (((symbol-function 'plugboard-http-request)
               (lambda (_method _path &rest more) (push (plist-get more :on-done) answers)))
              ((symbol-function 'plugboard-tools-take) (lambda (value) (push value taken))))
      (plugboard-hub-refresh)
      (plugboard-hub--event '(:kind "server-state" :server "a" :state (:kind "ready")))
      (funcall (pop answers) '(:servers [(:id "a" :enabled t :state (:kind "starting"))]) nil)
      (should (equal '("a") (plugboard-hub-in 'ready)))
      (plugboard-tools-refresh)
      (plugboard-tools-refresh)
      (funcall (nth 0 answers) 'newer nil)
      (funcall (nth 1 answers) 'older nil)
      (should (equal '(newer) taken)))))

;;; Keys

(ert-deftest commands-keys-and-labels ()
  "Every key is bound under the prefix, with a label of its own; keys beside it stay."
  (let ((beside (kbd "C-; a M")) (labels nil))
    (define-key global-map beside #'ignore)
    (plugboard-mode 1)
    (unwind-protect
        (progn
          (pcase-dolist (`(,key . ,command)
                         '(("h" . plugboard-hub) ("s" . plugboard-status) ("l" . plugboard-list-tools)
                           ("r" . plugboard-restart-failed) ("R" . plugboard-restart-server)
                           ("S" . plugboard-stop-all) ("d" . plugboard-doctor)
                           ("w" . plugboard-wait-until-ready)))
            (should (eq command (key-binding (kbd (concat "C-; a C " key))))))
          (should (eq #'ignore (key-binding beside)))
          (cl-letf (((symbol-function 'which-key-add-keymap-based-replacements)
                     (lambda (_map key label) (push (cons key label) labels))))
            (plugboard--label-keys))
          (map-keymap (lambda (event _) (should (assoc (char-to-string event) labels)))
                      plugboard-command-map)
          (should (equal (mapcar #'cdr labels) (delete-dups (mapcar #'cdr labels)))))
      (plugboard-mode -1)
      (should-not (commandp (key-binding (kbd "C-; a C s"))))
      (should (eq #'ignore (key-binding beside)))
      (define-key global-map (kbd "C-;") nil))))

(ert-deftest commands-prefix-is-yours ()
  "Another prefix is used instead; keys that are taken are left alone."
  (let ((plugboard-keymap-prefix "C-c p"))
    (plugboard-mode 1)
    (should (eq #'plugboard-status (key-binding (kbd "C-c p s"))))
    (plugboard-mode -1)
    (define-key global-map (kbd "C-c p") #'ignore)
    (plugboard-mode 1)
    (should (eq #'ignore (key-binding (kbd "C-c p"))))
    (plugboard-mode -1)
    (define-key global-map (kbd "C-c p") nil)))

(ert-deftest commands-menu ()
  "The menu is a transient where that is installed; elsewhere it names every key."
  (if (require 'transient nil t)
      (progn (plugboard--define-transient)
             (should (commandp 'plugboard--transient)))
    (let ((said (commands--said #'plugboard-menu)))
      (dolist (words '("h hub" "d doctor" "w wait until ready")) (should (string-match-p words said))))))

;;; Entry points and the end

(ert-deftest commands-starting-the-hub-is-tried-again ()
  "A hub that couldn't be started says why, and is tried once more whenever somebody asks."
  (let* ((plugboard-home (make-temp-file "plugboard-none-" t)) (plugboard-start-hub t)
         (file (expand-file-name "starts" plugboard-home))
         (plugboard-command (list "sh" "-c" (format "echo x >> %s; echo No room on the disk. >&2; exit 1" file)))
         (starts (lambda () (if (file-exists-p file) (file-attribute-size (file-attributes file)) 0))))
    (unwind-protect
        (dolist (expected '(2 4))
          (plugboard-hub-connect)
          (testing-wait "the start to fail"
                        (lambda () (and (= expected (funcall starts))
                                        (equal "No room on the disk." (plugboard-hub-problem)))))
          (testing-wait "the start to end" (lambda () (not (process-live-p plugboard-hub--start)))))
      (plugboard-hub-disconnect)
      (delete-directory plugboard-home t))))

(ert-deftest commands-entry-points ()
  "Only chosen commands start servers; a choice made later counts at once."
  (testing-request "POST" "/v1/servers/stop-all" '())
  (let ((before plugboard-start-on-entry-points) (starts 0))
    (cl-letf (((symbol-function 'plugboard-ensure-started) (lambda () (cl-incf starts)))
              ((symbol-function 'commands-quick-ask) (lambda () (interactive) 'asked)))
      (plugboard-mode 1)
      (unwind-protect
          (progn
            (should (equal '(gptel gptel-mode) before))
            (commands-quick-ask)
            (should (= 0 starts))
            (gptel "chat")
            (should (< 0 starts))
            (setq starts 1)
            (customize-set-variable 'plugboard-start-on-entry-points '(commands-quick-ask))
            (should (eq 'asked (commands-quick-ask)))
            (gptel "chat")
            (should (= 2 starts)))
        (plugboard-mode -1)
        (customize-set-variable 'plugboard-start-on-entry-points before)))))

(ert-deftest commands-entry-points-never-fail ()
  "When everything about the hub is broken, a chat still opens."
  (cl-letf (((symbol-function 'plugboard-http-open-stream) (lambda (&rest _) (error "Broken"))))
    (plugboard-mode 1)
    (unwind-protect (should (buffer-live-p (gptel "chat")))
      (plugboard-mode -1))))

(ert-deftest commands-remote-buffers-start-nothing ()
  "In a buffer of a remote machine nothing is started, here or there."
  (plugboard-mode 1)
  (unwind-protect
      (let ((default-directory "/ssh:nobody@nowhere.invalid:/tmp/"))
        (gptel "remote chat")
        (should-not plugboard-hub--stream)
        (should-not (process-list)))
    (plugboard-mode -1)))

(ert-deftest commands-starting-twice-is-starting-once ()
  "Starting again changes nothing; turning the mode off leaves no process, timer or buffer."
  (testing-with-chat
    (let ((stream plugboard-hub--stream) (tools (copy-sequence (default-value 'gptel-tools))))
      (plugboard-ensure-started)
      (plugboard-wait-until-ready 5)
      (should (eq stream plugboard-hub--stream))
      (should (equal tools (default-value 'gptel-tools)))))
  (testing-wait "the last goodbye" (lambda () (null (process-list))))
  (should-not (seq-filter (lambda (buffer) (string-prefix-p " *plugboard" (buffer-name buffer)))
                          (buffer-list))))

(ert-deftest commands-exit-is-clean ()
  "When Emacs exits, calls are canceled, tools are gone and no question is left."
  (plugboard-mode 1)
  (should (memq #'plugboard--exit kill-emacs-hook))
  (plugboard-mode -1)
  (should-not (memq #'plugboard--exit kill-emacs-hook))
  (testing-with-chat
    (let ((answers (testing-begin "mcp__notes__create_note" '(:text "at the end"))))
      (testing-approval "notes/create_note")
      (plugboard--exit)
      (should (string-match-p "canceled" (testing-answer answers)))
      (should-not (testing-tool-p "mcp__notes__create_note"))
      (testing-wait "the card to go at the hub"
                    (lambda () (equal [] (testing-request "GET" "/v1/approvals")))))))

(ert-deftest commands-stop-all ()
  "Stopping everything removes our tools alone, and a call of a removed tool says so."
  (testing-with-chat
    (let ((tool (testing-tool-p "mcp__notes__get_note")) (said nil))
      (plugboard-stop-all)
      (should-not (testing-tool-p "mcp__notes__get_note"))
      (funcall (gptel-tool-function tool) (lambda (text) (setq said text)) "x")
      (should (string-match-p "isn't offered any more" said))
      (testing-wait "the servers to sleep" (lambda () (null (plugboard-hub-live)))))))

;;; The buffer of tools

(defun commands--row (text)
  "Go to the row with TEXT in the current buffer."
  (goto-char (point-min))
  (search-forward text)
  (beginning-of-line))

(defmacro commands--with-tools (&rest body)
  "Run BODY in the buffer of tools, filled."
  (declare (indent 0))
  `(save-window-excursion
     (plugboard-list-tools)
     (testing-wait "the tools" (lambda () (buffer-local-value 'tabulated-list-entries
                                                              (get-buffer plugboard-audit--buffer))))
     (with-current-buffer plugboard-audit--buffer ,@body)))

(defun commands--confirm (ref)
  "Return what the buffer of tools says of REF: whether it asks."
  (cl-loop for (_ row) in tabulated-list-entries
           when (equal ref (aref row 0)) return (aref row 3)))

(ert-deftest commands-tools-buffer ()
  "Every tool has a row with state, risk and whether it asks; the privacy note stands on top."
  (testing-with-chat
    (commands--with-tools
      (should (equal "YES" (commands--confirm "notes/create_note")))
      (should (equal '(plugboard-audit-refresh plugboard-audit-visit plugboard-audit-restart
                       plugboard-audit-toggle-confirm plugboard-review-unknown)
                     (mapcar #'key-binding (list "g" (kbd "RET") "r" "c" "u"))))
      (should (string-match-p "a saved conversation keeps them"
                              (overlay-get (car (overlays-in (point-min) (1+ (point-min)))) 'before-string))))))

(ert-deftest commands-tools-confirm ()
  "One key grants a tool; again, and it asks as before."
  (testing-with-chat
    (commands--with-tools
      (dolist (expected '("granted" "YES"))
        (commands--row "notes/save_note")
        (plugboard-audit-toggle-confirm)
        (testing-wait expected
                      (lambda () (equal expected (commands--confirm "notes/save_note"))))))))

(ert-deftest commands-tools-review ()
  "The review walks through tools of unknown risk and no others."
  (testing-with-chat
    (let ((asked nil))
      (cl-letf (((symbol-function 'read-char-choice)
                 (lambda (prompt &rest _) (push prompt asked) (if (string-match-p "odd_note" prompt) ?w ?s))))
        (commands--with-tools
          (plugboard-review-unknown)
          (testing-wait "the review" (lambda () asked))
          (should-not (seq-find (lambda (prompt) (string-match-p "get_note\\|create_note" prompt)) asked))
          (testing-wait "the risk"
                        (lambda () (equal "write" (plugboard-get
                                                   (seq-find (lambda (tool) (equal (plist-get tool :name) "odd_note"))
                                                             (plugboard-each (plist-get (testing-request "GET" "/v1/tools?server=notes") :tools)))
                                                   :risk)))))))))

;;; Servers and the doctor

(ert-deftest commands-remedies-are-done ()
  "Each next step that Emacs can take has a label and does what it says; others are shown as they are typed."
  (let (did)
    (cl-letf (((symbol-function 'plugboard-http-request)
               (lambda (method path &rest more)
                 ;; Read at once: a key is cleared when it has been sent.
                 (push (list method path (and (plist-get more :body) (plugboard-json (plist-get more :body)))) did)))
              ((symbol-function 'browse-url) (lambda (url &rest _) (push url did)))
              ((symbol-function 'find-file-other-window) (lambda (file &rest _) (push file did)))
              ((symbol-function 'read-passwd) (lambda (&rest _) (copy-sequence "hunter2")))
              ((symbol-function 'read-string) (lambda (&rest _) "client-1")))
      (dolist (each
               '(((:do "restart" :server "s") "Restart s" ("POST" "/v1/servers/s/restart" nil))
                 ((:do "sign-in" :server "s") "Sign in to s" ("POST" "/v1/accounts/sign-in" "{\"server\":\"s\"}"))
                 ((:do "give-client-id" :server "s") "Sign in to s"
                  ("POST" "/v1/accounts/sign-in" "{\"server\":\"s\",\"clientId\":\"client-1\"}"))
                 ((:do "open-address" :server "s" :url "https://example.com/") "Open the page of s" "https://example.com/")
                 ((:do "set-secret" :name "KEY" :server "s") "Give KEY"
                  ("PUT" "/v1/secrets" "{\"name\":\"KEY\",\"value\":\"hunter2\"}"))
                 ((:do "install-package" :server "s") "Install s" ("POST" "/v1/servers/s/install" nil))
                 ((:do "edit-server" :server "s" :file "/home/me/mcp.json") "Edit mcp.json" "/home/me/mcp.json")))
        (setq did nil)
        (let ((holder (list :remedy (car each) :next "plug something")))
          (should (equal (nth 1 each) (plugboard-remedy-text holder)))
          (plugboard-remedy-run holder)
          (should (equal (list (nth 2 each)) did))))
      (plugboard-remedy-run '(:remedy (:do "move-vault-key") :next "plug secrets rotate"))
      (should (equal "plug secrets rotate" (current-kill 0))))))

(ert-deftest commands-servers-buffer ()
  "The server buffer shows each state; servers are stopped, started and restarted from it."
  (testing-with-chat
    (save-window-excursion
      (plugboard-hub)
      (with-current-buffer plugboard-servers--buffer
        (dolist (step '((plugboard-servers-stop . asleep) (plugboard-servers-start . ready)
                        (plugboard-servers-restart . ready)))
          (commands--row "notes")
          (funcall (car step))
          (testing-wait (symbol-name (car step))
                        (lambda () (member "notes" (plugboard-hub-in (cdr step)))))))
      (kill-buffer plugboard-servers--buffer))))

(ert-deftest commands-doctor ()
  "The doctor shows a row for each check; c copies it, r runs failed checks again, q closes."
  (testing-with-chat
    (save-window-excursion
      (let ((done 0))
        (add-hook 'plugboard-doctor-done-hook (lambda () (cl-incf done)))
        (plugboard-doctor)
        (testing-wait "the doctor" (lambda () (= done 1)))
        (with-current-buffer plugboard-doctor--buffer
          (should (string-match-p "^PASS  emacs .*plug command" (buffer-string)))
          (should (string-match-p "^PASS  notes: " (buffer-string)))
          (should (equal '(plugboard-doctor-copy plugboard-doctor-rerun quit-window)
                         (mapcar #'key-binding '("c" "r" "q"))))
          (plugboard-doctor-copy)
          (should (string-match-p "^PASS  notes: " (current-kill 0))))
        (let ((asked nil))
          (cl-letf (((symbol-function 'plugboard-http-request)
                     (lambda (_method path &rest more) (push (cons path (plist-get more :body)) asked))))
            (plugboard-doctor '(4))
            (should (equal t (plist-get (cdr (assoc "/v1/doctor" asked)) :live)))))
        (setq plugboard-doctor-done-hook nil plugboard-doctor--running 0)))))

(ert-deftest commands-doctor-without-plug ()
  "A plug command that isn't there is a row that fails, with what to set."
  (let* ((plugboard-command '("no-such-plug"))
         (row (car (plugboard-doctor--own-rows))))
    (should (equal "fail" (plist-get row :status)))
    (should (string-match-p "plugboard-command" (plist-get row :next)))))

;;; Other agents

(ert-deftest commands-entries-of-other-agents ()
  "agent-shell and mcp.el get one entry each, for the gateway, with our home where it differs."
  (let ((plugboard-command '("node" "plug")) (plugboard-home "/home/me/plug"))
    (should (equal '(:name "plugboard" :command "node" :args ("plug" "gateway")) (plugboard-mcp-entry)))
    (let ((entry (plugboard-mcp-entry 'agent-shell)))
      (should (equal ["plug" "gateway"] (alist-get 'args entry)))
      (should (equal "PLUG_HOME" (alist-get 'name (aref (alist-get 'env entry) 0)))))
    (should (equal '("plugboard" :command "node" :args ("plug" "gateway")
                     :env (:PLUG_HOME "/home/me/plug"))
                   (plugboard-mcp-entry 'mcp)))
    (should-error (plugboard-mcp-entry 'other) :type 'user-error)))

;;; Without the socket

(ert-deftest commands-by-address-and-token ()
  "With an address and a token of its own Emacs works as by the socket, and no longer once that is revoked."
  (let* ((plug (lambda (&rest words)
                 (with-temp-buffer
                   (apply #'call-process (car plugboard-command) nil '(t nil) nil
                          (append (cdr plugboard-command) '("host") words '("--json")))
                   (plugboard-parse-json (buffer-string)))))
         (made (funcall plug "add" "emacs" "--api"))
         (plugboard-token-file (expand-file-name "token" testing-folder))
         (plugboard-url (plist-get made :url)))
    (with-temp-file plugboard-token-file (insert (plist-get made :token) "\n"))
    (testing-with-chat
      (let ((answers (testing-begin "mcp__notes__create_note" '(:text "by token"))))
        (plugboard-approvals-answer (plist-get (testing-approval "notes/create_note") :id) "deny")
        (should (string-match-p "denied" (testing-answer answers))))
      (funcall plug "revoke" "emacs")
      (testing-wait "the stream to end" (lambda () (not (plugboard-hub-open-p))))
      (should (plist-get (plugboard-tools-before-call '(:name "mcp__notes__create_note" :args (:text "x"))) :block)))
    (let ((plugboard-url "http://192.0.2.1:4100")) (should-error (plugboard-address)))))

;; The versions that mcp.el 0.1.0 knows.
(ert-deftest commands-entries-agree-on-older-protocols ()
  "What the entry starts agrees on the older versions of the protocol, and lists the tools."
  (dolist (version '("2025-03-26" "2024-11-05"))
    (let* ((entry (cdr (plugboard-mcp-entry 'mcp))) (said "")
           (answer (lambda () (seq-filter (lambda (each) (plist-get each :id))
                                          (mapcar #'plugboard-parse-json (split-string said "\n" t)))))
           (process (make-process :name "gateway" :noquery t :connection-type 'pipe
                                  :command (cons (plist-get entry :command) (plist-get entry :args))
                                  :filter (lambda (_process text) (setq said (concat said text)))
                                  :stderr (get-buffer-create " *gateway*"))))
      (unwind-protect
          (progn
            (process-send-string
             process (concat (plugboard-json `(:jsonrpc "2.0" :id 1 :method "initialize"
                                               :params (:protocolVersion ,version :capabilities nil
                                                        :clientInfo (:name "mcp-emacs" :version "0.1.0"))))
                             "\n"))
            (testing-wait "the version" (lambda () (and (string-suffix-p "\n" said) (funcall answer))))
            (should (equal version (plugboard-get (car (funcall answer)) :result :protocolVersion)))
            (process-send-string
             process (concat (plugboard-json '(:jsonrpc "2.0" :method "notifications/initialized")) "\n"
                             (plugboard-json '(:jsonrpc "2.0" :id 2 :method "tools/list")) "\n"))
            (testing-wait "the tools" (lambda () (and (string-suffix-p "\n" said) (cdr (funcall answer)))))
            (should (seq-find (lambda (tool) (string-match-p "notes.*create_note" (plist-get tool :name)))
                              (plugboard-get (cadr (funcall answer)) :result :tools))))
        (delete-process process)))))

(provide 'commands-tests)
;;; commands-tests.el ends here
