;;; plugboard-approvals.el --- Approve or deny what waits  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The hub holds a call until a person agrees, and the first answer counts,
;; wherever it is given.  This buffer shows one card at a time: who asks,
;; which server, account and tool, the risk, every argument, and a diff.

;;; Code:

(require 'cl-lib)
(require 'diff-mode)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-calls)

(defcustom plugboard-pop-up-approvals 'own
  "Which approvals open the approval buffer by themselves.
`own' means those of tool calls made in this Emacs, t every one of the
hub, nil none.  The others are announced in the echo area."
  :type '(choice (const :tag "Calls of this Emacs" own) (const :tag "All" t) (const :tag "None" nil))
  :group 'plugboard)

(defface plugboard-risk '((t :inherit warning :weight bold))
  "Face of a risk that isn't read-only."
  :group 'plugboard)

(defface plugboard-heading '((t :inherit bold))
  "Face of labels in Plugboard's buffers."
  :group 'plugboard)

(defvar plugboard-approvals--waiting nil "Approvals that wait, oldest first.")
(defvar plugboard-approvals--turn 0 "How often an approval has come or gone.")
(defvar plugboard-approvals--answers 0 "Answers that are on their way to the hub.")
(defvar plugboard-approvals--settled nil
  "Ids of approvals that have an answer, newest first.
The word that one waits may come after its answer, and must not show it again.")
(defconst plugboard-approvals--settled-max 100 "How many of those are kept.")
(defvar plugboard-approvals-change-hook nil "Hook run when the waiting approvals have changed.")

(defvar-local plugboard-approvals--shown nil "The approval that the buffer shows.")

(defconst plugboard-approvals--buffer "*Plugboard Approvals*")

;;; The queue

(defun plugboard-approvals-install ()
  "Listen for approvals."
  (setq plugboard-calls-approval-function #'plugboard-approvals-own)
  (add-hook 'plugboard-hub-event-functions #'plugboard-approvals--event)
  (add-hook 'plugboard-hub-open-hook #'plugboard-approvals-refresh)
  (add-hook 'plugboard-hub-lost-hook #'plugboard-approvals--forget))

(defun plugboard-approvals--forget ()
  "Forget what waited at a hub that has gone."
  (setq plugboard-approvals--waiting nil)
  (plugboard-approvals--changed))

(defun plugboard-approvals-uninstall ()
  "Stop listening and forget what waits."
  (setq plugboard-calls-approval-function #'ignore plugboard-approvals--waiting nil)
  (remove-hook 'plugboard-hub-event-functions #'plugboard-approvals--event)
  (remove-hook 'plugboard-hub-open-hook #'plugboard-approvals-refresh)
  (remove-hook 'plugboard-hub-lost-hook #'plugboard-approvals--forget))

(defun plugboard-approvals-waiting ()
  "Return the approvals that wait, oldest first."
  plugboard-approvals--waiting)

(defun plugboard-approvals-refresh ()
  "Read from the hub which approvals wait."
  (let ((turn plugboard-approvals--turn))
    (plugboard-http-request
     "GET" "/v1/approvals"
     :on-done (lambda (value problem)
                (cond
                 (problem nil)
                 ;; One came or went in the meantime: the list that was read is older.
                 ((/= turn plugboard-approvals--turn) (plugboard-approvals-refresh))
                 (t (setq plugboard-approvals--waiting
                          (seq-remove (lambda (each) (plugboard-approvals--settled-p (plist-get each :id)))
                                      (plugboard-each value)))
                    (plugboard-approvals--changed)))))))

(defun plugboard-approvals--event (event)
  "Take EVENT of the hub if it is about an approval."
  (pcase (plist-get event :kind)
    ("approval-request" (plugboard-approvals--add (plist-get event :approval)))
    ("approval-answer"
     (let* ((id (plist-get event :id))
            (approval (plugboard-approvals--find id)))
       (plugboard-calls-answered id)
       (when (and approval (zerop plugboard-approvals--answers))
         (message "Plugboard: %s was %s%s" (plugboard-approvals--tool approval)
                  (plist-get event :outcome)
                  (if (plugboard-get event :by) (format " (%s)" (plist-get event :by)) "")))
       (plugboard-approvals--settle id)))
    ("events-dropped" (plugboard-approvals-refresh))))

(defun plugboard-approvals-own (approval)
  "Take APPROVAL, for which a call of this Emacs waits."
  (plugboard-approvals--add approval t))

(defun plugboard-approvals--add (approval &optional own)
  "Add APPROVAL to what waits; with OWN, it is for a call of this Emacs."
  (let* ((id (plist-get approval :id))
         (known (plugboard-approvals--find id))
         (pops (if (eq plugboard-pop-up-approvals 'own) own plugboard-pop-up-approvals)))
    (unless (or known (plugboard-approvals--settled-p id))
      (cl-incf plugboard-approvals--turn)
      (setq plugboard-approvals--waiting
            (append plugboard-approvals--waiting (list approval)))
      (message "Plugboard: %s needs your approval (%s)" (plugboard-approvals--tool approval)
               (substitute-command-keys "\\[plugboard-approvals]")))
    (plugboard-approvals--changed)
    (when (and pops (or own (not known)) (not noninteractive))
      ;; Never from within a process filter, and never over a prompt.
      (run-at-time 0 nil #'plugboard-approvals--pop-up id))))

(defun plugboard-approvals--pop-up (id)
  "Show the approval ID beside what the user does, without taking the cursor."
  (when (plugboard-approvals--find id)
    (if (active-minibuffer-window)
        (run-at-time 1 nil #'plugboard-approvals--pop-up id)
      (display-buffer (plugboard-approvals--render id) '(display-buffer-pop-up-window)))))

(defun plugboard-approvals--find (id)
  "Return the waiting approval ID, or nil."
  (seq-find (lambda (each) (equal (plist-get each :id) id)) plugboard-approvals--waiting))

(defun plugboard-approvals--settled-p (id)
  "Return non-nil when the approval ID has an answer."
  (member id plugboard-approvals--settled))

(defun plugboard-approvals--settle (id)
  "Note that the approval ID has an answer; it waits no more."
  (setq plugboard-approvals--settled
        (seq-take (cons id plugboard-approvals--settled) plugboard-approvals--settled-max))
  (plugboard-approvals--drop id))

(defun plugboard-approvals--drop (id)
  "Take the approval ID out of what waits."
  (cl-incf plugboard-approvals--turn)
  (setq plugboard-approvals--waiting
        (seq-remove (lambda (each) (equal (plist-get each :id) id)) plugboard-approvals--waiting))
  (plugboard-approvals--changed))

(defun plugboard-approvals--changed ()
  "Show what waits now, where it is shown."
  (when-let ((buffer (get-buffer plugboard-approvals--buffer)))
    (let ((shown (buffer-local-value 'plugboard-approvals--shown buffer)))
      (plugboard-approvals--render
       (if (plugboard-approvals--find shown) shown
         (plist-get (car plugboard-approvals--waiting) :id)))
      (unless plugboard-approvals--waiting
        (when-let ((window (get-buffer-window buffer t))) (quit-window nil window)))))
  (run-hooks 'plugboard-approvals-change-hook))

(defun plugboard-approvals--tool (approval)
  "Return the server and tool of APPROVAL as text."
  (format "%s/%s" (plist-get approval :server) (plist-get approval :tool)))

;;; The buffer

(defvar plugboard-approvals-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map "y" #'plugboard-approvals-allow)
    (define-key map "n" #'plugboard-approvals-deny)
    (define-key map "N" #'plugboard-approvals-deny-with-note)
    (define-key map "a" #'plugboard-approvals-always)
    (define-key map "s" #'plugboard-approvals-session)
    (define-key map "e" #'plugboard-approvals-edit)
    (define-key map "]" #'plugboard-approvals-next)
    (define-key map "g" #'plugboard-approvals-refresh-buffer)
    map)
  "Keys of the approval buffer.")

(define-derived-mode plugboard-approvals-mode special-mode "Approvals"
  "Mode of the buffer in which you approve or deny a call.")

;;;###autoload
(defun plugboard-approvals ()
  "Show each tool call that waits for your approval."
  (interactive)
  (pop-to-buffer (plugboard-approvals--render
                  (plist-get (car plugboard-approvals--waiting) :id))))

(defun plugboard-approvals-refresh-buffer ()
  "Read again what waits."
  (interactive)
  (plugboard-approvals-refresh))

(defun plugboard-approvals-next ()
  "Show the next approval."
  (interactive)
  (let* ((ids (mapcar (lambda (each) (plist-get each :id)) plugboard-approvals--waiting))
         (rest (cdr (member plugboard-approvals--shown ids))))
    (plugboard-approvals--render (or (car rest) (car ids)))))

(defun plugboard-approvals--render (id)
  "Fill the approval buffer with the approval ID and return it."
  (let ((approval (plugboard-approvals--find id)))
    (with-current-buffer (get-buffer-create plugboard-approvals--buffer)
      (unless (derived-mode-p 'plugboard-approvals-mode) (plugboard-approvals-mode))
      (setq plugboard-approvals--shown (and approval id))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (if approval (plugboard-approvals--insert approval)
          (insert "No pending approvalsr approval.\n"))
        (goto-char (point-min)))
      (current-buffer))))

(defun plugboard-approvals--insert (approval)
  "Insert the card of APPROVAL."
  (let ((risk (or (plugboard-get approval :risk) "unknown"))
        (count (length plugboard-approvals--waiting)))
    (insert (propertize (format "%s needs your approval" (plugboard-approvals--tool approval))
                        'face 'plugboard-heading)
            (if (> count 1) (format "   (%d waiting)" count) "") "\n\n")
    (plugboard-approvals--field "Server" (plist-get approval :server))
    (plugboard-approvals--field "Account" (or (plugboard-get approval :account) "none"))
    (plugboard-approvals--field "Tool" (plist-get approval :tool))
    (plugboard-approvals--field "Risk" (if (equal risk "read") "read-only"
                                         (propertize risk 'face 'plugboard-risk)))
    (plugboard-approvals--field "Asked by" (or (plugboard-get approval :requester :name)
                                               (plugboard-get approval :requester :kind)))
    (plugboard-approvals--field "Why" (or (plugboard-get approval :decision :reason) ""))
    (dolist (flag (plugboard-each (plugboard-get approval :flags)))
      (plugboard-approvals--field "Warning" (propertize (or (plugboard-get flag :detail) "flagged")
                                                        'face 'plugboard-risk)))
    (insert "\n" (propertize "Arguments" 'face 'plugboard-heading) "\n"
            (plugboard-approvals--pretty (plist-get approval :args)) "\n")
    (plugboard-approvals--insert-changes approval)
    (plugboard-approvals--insert-preview approval)
    (insert "\n" (plugboard-approvals--keys approval) "\n")))

(defun plugboard-approvals--field (label text)
  "Insert a line with LABEL and TEXT."
  (insert (propertize (format "%-9s" label) 'face 'plugboard-heading) " " (or text "") "\n"))

(defun plugboard-approvals--pretty (args)
  "Return ARGS as indented JSON."
  (with-temp-buffer
    (insert (plugboard-json args))
    (ignore-errors (json-pretty-print-buffer))
    (buffer-string)))

(defun plugboard-approvals--insert-changes (approval)
  "Insert what differs from the last approved call of the tool of APPROVAL."
  (when-let ((changes (plugboard-each (plugboard-get approval :changes))))
    (insert "\n" (propertize "Changed since the last approved call" 'face 'plugboard-heading) "\n")
    (dolist (change changes)
      (dolist (side '((:before "-" diff-removed) (:after "+" diff-added)))
        (when (plist-member change (car side))
          (insert (propertize (format "%s %s: %s\n" (nth 1 side) (plist-get change :path)
                                      (plugboard-json (plist-get change (car side))))
                              'face (nth 2 side))))))))

(defun plugboard-approvals--insert-preview (approval)
  "Insert the preview of APPROVAL: a diff, or the text that it would write."
  (when-let ((preview (plugboard-get approval :preview)))
    (insert "\n" (propertize (or (plugboard-get preview :path) "Preview") 'face 'plugboard-heading) "\n")
    (dolist (line (split-string (or (plugboard-get preview :text) "") "\n"))
      (insert (propertize line 'face (cond ((not (plugboard-get preview :isDiff)) 'default)
                                           ((string-prefix-p "+" line) 'diff-added)
                                           ((string-prefix-p "-" line) 'diff-removed)
                                           (t 'diff-context)))
              "\n"))))

(defun plugboard-approvals--keys (approval)
  "Return two lines with the keys for APPROVAL."
  (let ((offers (plugboard-each (plugboard-get approval :offers))))
    (concat (string-join (delq nil (list "y allow once"
                                         (and (member "session" offers) "s allow for this session")
                                         (and (member "tool" offers) "a always allow this tool")))
                         " · ")
            "\nn deny · N deny with a note · e edit arguments · ] next · q close")))

;;; Answers

(defun plugboard-approvals-answer (id effect &rest more)
  "Answer the approval ID with EFFECT, allow or deny, and the fields in MORE."
  (let ((approval (or (plugboard-approvals--find id) (user-error "It no longer waits"))))
    (cl-incf plugboard-approvals--answers)
    ;; The card goes with the key, not with the hub's word: one answer is enough.
    (plugboard-approvals--settle id)
    (plugboard-http-request
     "POST" (plugboard-hub-path "approvals" id "answer")
     :body (append (list :effect effect :argsHash (plist-get approval :argsHash)) more)
     :on-done (lambda (_value problem)
                (cl-decf plugboard-approvals--answers)
                (pcase (plugboard-get problem :code)
                  ('nil nil)
                  ((or "already_exists" "not_found")
                   (message "Plugboard: %s was answered elsewhere" (plugboard-approvals--tool approval)))
                  (_ (setq plugboard-approvals--settled (delete id plugboard-approvals--settled))
                     (plugboard-approvals--add approval)
                     (message "Plugboard: %s" (plugboard-hub-error-text problem))))))))

(defun plugboard-approvals--current ()
  "Return the id of the approval that is shown."
  (or plugboard-approvals--shown (user-error "No pending approvalsr approval")))

(defun plugboard-approvals-allow ()
  "Allow the call that is shown, once."
  (interactive)
  (plugboard-approvals-answer (plugboard-approvals--current) "allow"))

(defun plugboard-approvals-deny ()
  "Deny the call that is shown."
  (interactive)
  (plugboard-approvals-answer (plugboard-approvals--current) "deny"))

(defun plugboard-approvals-deny-with-note (note)
  "Deny the call that is shown and send NOTE to the model."
  (interactive (list (read-string "Note for the model: ")))
  (plugboard-approvals-answer (plugboard-approvals--current) "deny" :note note))

(defun plugboard-approvals-always ()
  "Allow the call that is shown, and this tool from now on."
  (interactive)
  (plugboard-approvals-answer (plugboard-approvals--current) "allow" :remember "tool"))

(defun plugboard-approvals-session ()
  "Allow the call that is shown, and this tool until the hub stops."
  (interactive)
  (plugboard-approvals-answer (plugboard-approvals--current) "allow" :remember "session"))

;;; Editing

(defvar-local plugboard-approvals--edits nil "The approval whose arguments this buffer edits.")

(defvar plugboard-approvals-edit-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'plugboard-approvals-edit-allow)
    (define-key map (kbd "C-c C-k") #'plugboard-approvals-edit-cancel)
    map)
  "Keys of the buffer in which arguments are edited.")

(define-minor-mode plugboard-approvals-edit-mode
  "Edit the arguments of a call before you allow it."
  :lighter " Edit-Arguments")

(defun plugboard-approvals-edit ()
  "Edit the arguments of the call that is shown, then allow it."
  (interactive)
  (let* ((id (plugboard-approvals--current))
         (approval (plugboard-approvals--find id)))
    (pop-to-buffer (get-buffer-create (format "*Plugboard Arguments: %s*"
                                              (plugboard-approvals--tool approval))))
    (erase-buffer)
    (insert (plugboard-approvals--pretty (plist-get approval :args)))
    (js-mode)
    (plugboard-approvals-edit-mode 1)
    (setq plugboard-approvals--edits id)
    (message "C-c C-c allows the call with these arguments, C-c C-k goes back")))

(defun plugboard-approvals-edit-allow ()
  "Allow the call with the arguments in this buffer, if the hub agrees."
  (interactive)
  (let ((args (condition-case problem
                  (plugboard-parse-json (buffer-substring-no-properties (point-min) (point-max)))
                (error (user-error "This isn't JSON: %s" (error-message-string problem))))))
    (unless (listp args) (user-error "Arguments must be a JSON object"))
    (plugboard-approvals-answer plugboard-approvals--edits "allow" :args args)
    (kill-buffer)))

(defun plugboard-approvals-edit-cancel ()
  "Leave the arguments as they are; the call still waits."
  (interactive)
  (kill-buffer))

(provide 'plugboard-approvals)
;;; plugboard-approvals.el ends here
