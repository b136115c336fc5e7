;;; confirmation-tests.el --- Nothing runs before a yes  -*- lexical-binding: t; -*-

;;; Commentary:

;; The hub holds a call until a person agrees; gptel's own setting can only
;; add a question, never take one away.

;;; Code:

(require 'plugboard-testing)

(defun confirmation--denied-then-allowed (setting)
  "With `gptel-confirm-tool-calls' SETTING: deny, then allow, and look at the server."
  (testing-with-chat
    (let* ((gptel-confirm-tool-calls setting)
           (before (length (testing-marks "notes")))
           (answers (testing-begin "mcp__notes__create_note" '(:text "first")))
           (id (plist-get (testing-approval "notes/create_note") :id)))
      (should-not (cdr answers))
      (should (= before (length (testing-marks "notes"))))
      (plugboard-approvals-answer id "deny" :note "use the archive instead")
      (should (string-match-p "use the archive instead" (testing-answer answers)))
      (should (= before (length (testing-marks "notes"))))
      (setq answers (testing-begin "mcp__notes__create_note" '(:text "second")))
      (plugboard-approvals-answer (plist-get (testing-approval "notes/create_note") :id) "allow")
      (should (string-match-p "created" (testing-answer answers)))
      (should (= (1+ before) (length (testing-marks "notes"))))
      (should (= 1 (length (cdr answers)))))))

(ert-deftest confirmation-holds-with-nil ()
  "With `gptel-confirm-tool-calls' nil, nothing runs before a yes."
  (confirmation--denied-then-allowed nil))

(ert-deftest confirmation-holds-with-auto ()
  "With `gptel-confirm-tool-calls' auto, nothing runs before a yes."
  (confirmation--denied-then-allowed 'auto))

(ert-deftest confirmation-holds-with-t ()
  "With `gptel-confirm-tool-calls' t, a yes in gptel is not a yes at the hub."
  (confirmation--denied-then-allowed t))

(ert-deftest confirmation-holds-in-a-plain-request ()
  "Without any hook, as in `gptel-request' and sub-agents, the hub still asks."
  (testing-with-chat
    (let* ((gptel-pre-tool-call-functions nil)
           (gptel-confirm-tool-calls nil)
           (before (length (testing-marks "notes")))
           (answers (list 'answers))
           (tool (testing-tool-p "mcp__notes__create_note")))
      (funcall (gptel-tool-function tool) (lambda (text) (nconc answers (list text))) "plain")
      (plugboard-approvals-answer (plist-get (testing-approval "notes/create_note") :id) "deny")
      (should (string-match-p "denied" (testing-answer answers)))
      (should (= before (length (testing-marks "notes")))))))

(ert-deftest confirmation-only-for-what-needs-it ()
  "A read-only tool of a trusted server runs unasked; a local tool is left alone."
  (testing-with-chat
    (testing-request "POST" "/v1/servers/notes/trust" '())
    (let ((gptel-confirm-tool-calls 'auto) (asked 0))
      (gptel-make-tool :name "git_log" :category "local" :description "Log" :args nil :async t
                       :function (lambda (callback) (funcall callback "a log")))
      (let ((gptel-tools (cons (gptel-get-tool '("local" "git_log")) gptel-tools)))
        (add-hook 'plugboard-approvals-change-hook (lambda () (cl-incf asked)))
        (should (string-match-p "the note" (testing-call "mcp__notes__get_note" '(:text "x"))))
        (should (equal "a log" (testing-call "git_log" nil)))
        (should-not (plugboard-approvals-waiting))
        (setq plugboard-approvals-change-hook nil)))))

(ert-deftest confirmation-edited-arguments-run-as-edited ()
  "The person edits the arguments; the server gets those and no others."
  (testing-with-chat
    (let ((answers (testing-begin "mcp__notes__create_note" '(:text "as asked"))))
      (testing-approval "notes/create_note")
      (with-current-buffer (plugboard-approvals--render
                            (plist-get (car (plugboard-approvals-waiting)) :id))
        (save-window-excursion
          (plugboard-approvals-edit)
          (should (string-match-p "as asked" (buffer-string)))
          (erase-buffer)
          (insert "{\"text\": \"as edited\"}")
          (plugboard-approvals-edit-allow)))
      (should (string-match-p "created" (testing-answer answers)))
      (should (equal "{\"text\":\"as edited\"}" (testing-last-args "notes"))))))

(ert-deftest confirmation-first-answer-wins ()
  "Somebody else's answer counts; ours comes too late and changes nothing."
  (testing-with-chat
    (let* ((before (length (testing-marks "notes")))
           (answers (testing-begin "mcp__notes__create_note" '(:text "race")))
           (approval (testing-approval "notes/create_note"))
           (id (plist-get approval :id)))
      (testing-request "POST" (plugboard-hub-path "approvals" id "answer")
                       (list :effect "deny" :argsHash (plist-get approval :argsHash)))
      (should (string-match-p "denied" (testing-answer answers)))
      (testing-wait "the card to go" (lambda () (null (plugboard-approvals-waiting))))
      (setq plugboard-approvals--waiting (list approval))
      (plugboard-approvals-answer id "allow")
      (testing-wait "the late answer" (lambda () (zerop plugboard-approvals--answers)))
      (should (= before (length (testing-marks "notes"))))
      (should (= 1 (length (cdr answers)))))))

(ert-deftest confirmation-a-late-list-hides-no-card ()
  "A list of approvals that was read before one came doesn't take that one away."
  (let ((plugboard-approvals--waiting nil) (answers nil))
    (cl-letf (((symbol-function 'plugboard-http-request)
               (lambda (_method _path &rest more) (push (plist-get more :on-done) answers))))
      (plugboard-approvals-refresh)
      (plugboard-approvals--event '(:kind "approval-request" :approval (:id "late" :server "s" :tool "t")))
      (funcall (pop answers) [] nil)
      (should (plugboard-approvals--find "late"))
      (funcall (pop answers) [(:id "late" :server "s" :tool "t")] nil)
      (should (plugboard-approvals--find "late"))
      (should-not answers))))

(ert-deftest confirmation-card-goes-with-the-answer ()
  "An answer takes its card away at once, late word of it doesn't bring it back; a failed answer does."
  (let ((plugboard-approvals--waiting nil) (plugboard-approvals--settled nil)
        (plugboard-approvals--answers 0) (answers nil)
        (asked '(:kind "approval-request" :approval (:id "once" :argsHash "h" :server "s" :tool "t"))))
    (cl-letf (((symbol-function 'plugboard-http-request)
               (lambda (_method _path &rest more) (push (plist-get more :on-done) answers))))
      (plugboard-approvals--event asked)
      (plugboard-approvals-answer "once" "allow")
      (should-not (plugboard-approvals-waiting))
      (plugboard-approvals--event asked)
      (should-not (plugboard-approvals-waiting))
      (should-error (plugboard-approvals-answer "once" "allow") :type 'user-error)
      (funcall (pop answers) nil '(:code "unreachable" :message "The hub is gone."))
      (should (plugboard-approvals--find "once")))))

(ert-deftest confirmation-answer-before-the-question ()
  "When word of an answer comes before that of its question, no card opens and the call's time runs."
  (let* ((call (plugboard-call--make :tool "t" :buffer (current-buffer) :callback #'ignore))
         (plugboard-calls--open (list call)) (plugboard-calls-approval-function #'plugboard-approvals-own)
         (plugboard-approvals--waiting nil) (plugboard-approvals--settled nil))
    (plugboard-approvals--event '(:kind "approval-answer" :id "early" :outcome "allowed"))
    (plugboard-calls--event call "approval" '(:id "early" :server "s" :tool "t"))
    (should-not (plugboard-approvals-waiting))
    (should (plugboard-call-timer call))
    (plugboard-calls-finish call "done")))

(ert-deftest confirmation-card-hides-nothing ()
  "Hidden characters of arguments and texts are shown by number; the keys are above, whatever the length."
  (let ((plugboard-approvals--waiting
         (list (list :id "h" :server "s" :tool "t" :risk "write" :offers ["session"]
                     :args (list :text (format "ab%ccd%c" #x202e #xe0041))
                     :decision (list :reason (format "why%c" #x200b))))))
    (with-current-buffer (plugboard-approvals--render "h")
      (should (string-match-p (regexp-quote "\"ab\\u202ecd\\udb40\\udc41\"") (buffer-string)))
      (should (string-match-p "why<U\\+200B>" (buffer-string)))
      (should-not (string-match-p (string ?\[ #x202e #x200b #xe0041 ?\]) (buffer-string)))
      (should (string-match-p "y allow · s session · n deny" header-line-format))
      (should-not (string-match-p "a always" header-line-format))
      ;; They are escaped, so that what is edited means the same.
      (plugboard-approvals-edit)
      (should (equal (format "ab%ccd%c" #x202e #xe0041)
                     (plist-get (plugboard-parse-json (buffer-string)) :text)))
      (kill-buffer)))
  (should (equal (string ?a #x2764 #xfe0f) (plugboard-visible (string ?a #x2764 #xfe0f)))))

(ert-deftest confirmation-model-cannot-answer-itself ()
  "The client that calls may not approve its own call."
  (testing-with-chat
    (let* ((answers (testing-begin "mcp__notes__create_note" '(:text "self")))
           (approval (testing-approval "notes/create_note"))
           done refused)
      (plugboard-http-request "POST" (plugboard-hub-path "approvals" (plist-get approval :id) "answer")
                              :role 'model
                              :body (list :effect "allow" :argsHash (plist-get approval :argsHash))
                              :on-done (lambda (_value problem) (setq done t refused problem)))
      (testing-wait "the refusal" (lambda () done))
      (should (equal "denied" (plist-get refused :code)))
      (should-not (cdr answers))
      (plugboard-approvals-answer (plist-get approval :id) "deny")
      (testing-answer answers))))

(ert-deftest confirmation-card-shows-everything ()
  "The card has server, account, tool, risk, reason, arguments, and the change since last time."
  (testing-with-chat
    (let ((first (testing-begin "mcp__notes__create_note" '(:text "one"))))
      (plugboard-approvals-answer (plist-get (testing-approval "notes/create_note") :id) "allow")
      (testing-answer first))
    (let ((answers (testing-begin "mcp__notes__create_note" '(:text "two"))))
      (with-current-buffer (plugboard-approvals--render
                            (plist-get (testing-approval "notes/create_note") :id))
        (dolist (words '("notes/create_note needs your approval" "Server +notes" "Account" "Tool +create_note"
                         "Risk +write" "Asked by +Emacs" "Why" "\"two\"" "- .*one" "\\+ .*two"))
          (should (string-match-p words (buffer-string))))
        (dolist (key '("y allow" "a always" "s session" "n deny" "N note" "e edit"))
          (should (string-match-p key header-line-format)))
        (should (equal '(plugboard-approvals-allow plugboard-approvals-deny
                         plugboard-approvals-deny-with-note plugboard-approvals-always
                         plugboard-approvals-session plugboard-approvals-edit)
                       (mapcar #'key-binding '("y" "n" "N" "a" "s" "e"))))
        (plugboard-approvals-deny))
      (testing-answer answers))))

(ert-deftest confirmation-session-and-always ()
  "Allowed for the session, and always: the next call runs unasked."
  (testing-with-chat
    (dolist (way (list #'plugboard-approvals-session #'plugboard-approvals-always))
      (let* ((name (if (eq way #'plugboard-approvals-session) "frob_note" "send_note"))
             (tool (concat "mcp__notes__" name))
             (answers (testing-begin tool '(:text "once"))))
        (with-current-buffer (plugboard-approvals--render
                              (plist-get (testing-approval (concat "notes/" name)) :id))
          (funcall way))
        (testing-answer answers)
        (should (string-match-p "done" (testing-call tool '(:text "again"))))))))

(ert-deftest confirmation-canceled-call-withdraws-its-question ()
  "When the call is canceled, its card goes, and the server hears nothing."
  (testing-with-chat
    (let* ((before (length (testing-marks "notes")))
           (answers (testing-begin "mcp__notes__create_note" '(:text "never"))))
      (testing-approval "notes/create_note")
      (should (= 1 (plugboard-calls-cancel)))
      (should (string-match-p "canceled" (testing-answer answers)))
      (testing-wait "the card to go" (lambda () (null (plugboard-approvals-waiting))))
      (should (= before (length (testing-marks "notes")))))))

(ert-deftest confirmation-hook-only-blocks ()
  "The hook never lifts a confirmation; in doubt it blocks; others' tools it leaves alone."
  (testing-with-chat
    (should-not (plugboard-tools-before-call '(:name "mcp__notes__create_note" :args (:text "x"))))
    (should-not (plugboard-tools-before-call '(:name "git_log" :args nil)))
    (should (plist-get (plugboard-tools-before-call '(:name "mcp__notes__create_note" :args 3)) :block))
    (let ((plugboard-hub--open nil))
      (should (plist-get (plugboard-tools-before-call '(:name "mcp__notes__get_note")) :block)))
    (cl-letf (((symbol-function 'plugboard-hub-open-p) (lambda () (error "Broken"))))
      (let ((told (plugboard-tools-before-call '(:name "mcp__notes__get_note"))))
        (should (plist-get told :block))
        (should-not (plist-member told :confirm))))))

(provide 'confirmation-tests)
;;; confirmation-tests.el ends here
