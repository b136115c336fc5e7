;;; conversation-tests.el --- A whole conversation in a real gptel  -*- lexical-binding: t; -*-

;;; Commentary:

;; Only with a real gptel: a scripted model at PLUG_TEST_MODEL calls a tool
;; that writes, is denied with a note, calls again, is allowed, and ends.
;; What reached the model is looked at where the model runs.

;;; Code:

(require 'plugboard-testing)

(declare-function gptel--accept-tool-calls "ext:gptel")
(declare-function gptel-mode "ext:gptel")
(declare-function gptel-send "ext:gptel")
(defvar gptel-backend)
(defvar gptel-use-tools)
(defvar gptel-include-tool-results)
(defvar gptel--request-alist)

(defun conversation--backend ()
  "Return the backend of the scripted model."
  (gptel-make-openai "scripted" :host (getenv "PLUG_TEST_MODEL") :protocol "http" :key "none"
    :stream t :models '(scripted)))

(defun conversation--confirm (setting)
  "Say yes in gptel, which asks only when `gptel-confirm-tool-calls' is SETTING t."
  (when (eq setting t)
    (testing-wait "gptel's own question"
                  (lambda ()
                    (cl-loop for overlay in (overlays-in (point-min) (point-max))
                             for calls = (overlay-get overlay 'gptel-tool)
                             when calls return (progn (gptel--accept-tool-calls calls overlay) t))))))

(defun conversation--whole (setting &optional then)
  "Send one prompt with `gptel-confirm-tool-calls' SETTING; deny, allow, and read the end.
Then call THEN in the chat."
  (testing-with-chat
    (let ((before (length (testing-marks "notes")))
          (gptel-confirm-tool-calls setting))
      (text-mode)
      (setq-local gptel-backend (conversation--backend) gptel-model 'scripted gptel-use-tools t)
      (gptel-mode 1)
      (insert "Write a note.")
      (gptel-send)
      (conversation--confirm setting)
      (let ((id (plist-get (testing-approval "notes/create_note") :id)))
        (should (= before (length (testing-marks "notes"))))
        (plugboard-approvals-answer id "deny" :note "put it into the archive")
        (testing-wait "the denial to be taken" (lambda () (null (plugboard-approvals--find id)))))
      (conversation--confirm setting)
      (let ((id (plist-get (testing-approval "notes/create_note") :id)))
        (should (= before (length (testing-marks "notes"))))
        (plugboard-approvals-answer id "allow"))
      (testing-wait "the model's last word"
                    (lambda () (string-match-p "All done\\." (buffer-string))))
      ;; Its last steps are in this buffer, too, which goes with the test.
      (testing-wait "gptel to be done" (lambda () (null gptel--request-alist)))
      (should (= (1+ before) (length (testing-marks "notes"))))
      (when then (funcall then)))))

(ert-deftest conversation-with-nil ()
  "With `gptel-confirm-tool-calls' nil, nothing is written before a yes."
  (conversation--whole nil))

(ert-deftest conversation-with-auto ()
  "With `gptel-confirm-tool-calls' auto, nothing is written before a yes."
  (conversation--whole 'auto))

(ert-deftest conversation-with-t ()
  "With `gptel-confirm-tool-calls' t, nothing is written before a yes at the hub."
  (conversation--whole t))

(ert-deftest conversation-in-a-plain-request ()
  "A plain request, as sub-agents make it, gets its answer only after a yes."
  (testing-with-chat
    (let ((before (length (testing-marks "notes")))
          (gptel-backend (conversation--backend)) (gptel-model 'scripted) (gptel-use-tools t)
          (gptel-confirm-tool-calls nil) (said nil))
      (gptel-request "Write a note."
        :callback (lambda (response _info) (when (stringp response) (setq said response))))
      (let ((id (plist-get (testing-approval "notes/create_note") :id)))
        (should (= before (length (testing-marks "notes"))))
        (plugboard-approvals-answer id "allow"))
      (testing-wait "the answer" (lambda () said))
      (should (= (1+ before) (length (testing-marks "notes")))))))

(ert-deftest conversation-is-saved-with-results ()
  "A saved chat has what the server answered, as the privacy note says."
  (let ((file (expand-file-name "chat.txt" testing-folder))
        (gptel-include-tool-results t))
    (conversation--whole 'auto (lambda () (write-region nil nil file nil 'silent)))
    (should (string-match-p "returned by notes/create_note"
                            (with-temp-buffer (insert-file-contents file) (buffer-string))))))

(ert-deftest conversation-menu-shows-new-tools ()
  "A tool that is registered while gptel's menu of tools is closed is there when it opens again."
  (require 'gptel-transient)
  ;; The menu is made from this list each time it opens.
  (cl-flet ((names () (mapcar #'car (cdr (assoc "plug-notes" gptel--known-tools)))))
    (testing-with-chat
      (should-not (member "mcp__notes__late_note" (names)))
      (testing-offer "notes" (lambda (tools)
                               (vconcat tools [(:name "late_note" :description "Late."
                                                :inputSchema (:type "object"))])))
      (testing-wait "the new tool" (lambda () (testing-tool-p "mcp__notes__late_note")))
      (should (member "mcp__notes__late_note" (names))))))

(provide 'conversation-tests)
;;; conversation-tests.el ends here
