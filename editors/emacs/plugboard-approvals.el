;;; plugboard-approvals.el --- Approve or deny what waits  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The hub holds a call until a person agrees, and the first answer counts,
;; wherever it is given.  This buffer shows one card at a time: who asks,
;; which server, account and tool, the risk, every argument, and a diff.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-calls)
(require 'plugboard-card)

(defcustom plugboard-pop-up-approvals 'own
  "Which approvals open the approval buffer by themselves.
`own' means those of tool calls made in this Emacs, t every one of the
hub, nil none.  The others are announced in the echo area."
  :type '(choice (const :tag "Calls of this Emacs" own) (const :tag "All" t) (const :tag "None" nil))
  :group 'plugboard)

(defvar plugboard-approvals--waiting nil "Approvals that wait, oldest first.")
(defvar plugboard-approvals--turn 0 "How often an approval has come or gone.")
(defvar plugboard-approvals--answers 0 "Answers that are on their way to the hub.")
(defvar plugboard-approvals--settled nil
  "Ids of approvals that have an answer, newest first.
The word that one waits may come after its answer, and must not show it again.")
(defconst plugboard-approvals--height-max 0.7 "Most of the frame's height that a card takes.")
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
         (message "Plugboard: %s was %s%s" (plugboard-card-tool approval)
                  (plist-get event :outcome)
                  (if (plugboard-get event :by) (format " (%s)" (plist-get event :by)) "")))
       (plugboard-approvals--settle id)))
    ("events-dropped" (plugboard-approvals-refresh))))

(defun plugboard-approvals-own (approval)
  "Take APPROVAL, for which a call of this Emacs waits."
  (let ((id (plist-get approval :id)))
    ;; The word of an answer comes by another connection, and may be faster.
    (if (plugboard-approvals--settled-p id)
        (plugboard-calls-answered id)
      (plugboard-approvals--add approval t))))

(defun plugboard-approvals--add (approval &optional own)
  "Add APPROVAL to what waits; with OWN, it is for a call of this Emacs."
  (let* ((id (plist-get approval :id))
         (known (plugboard-approvals--find id))
         (pops (if (eq plugboard-pop-up-approvals 'own) own plugboard-pop-up-approvals)))
    (unless (or known (plugboard-approvals--settled-p id))
      (cl-incf plugboard-approvals--turn)
      (setq plugboard-approvals--waiting
            (append plugboard-approvals--waiting (list approval)))
      (message "Plugboard: %s needs your approval (%s)" (plugboard-card-tool approval)
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
      (display-buffer (plugboard-approvals--render id)
                      '(display-buffer-pop-up-window (window-height . plugboard-approvals--fit))))))

(defun plugboard-approvals--fit (window)
  "Let WINDOW show as much of a card as fits beside what it is about."
  (fit-window-to-buffer window (floor (* plugboard-approvals--height-max (frame-height)))
                        (window-height window)))

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
      (setq plugboard-approvals--shown (and approval id)
            ;; Above the card, so that no long argument pushes the keys out of sight.
            header-line-format (and approval (plugboard-card-keys approval)))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (if approval (plugboard-card-insert approval (length plugboard-approvals--waiting))
          (insert "Nothing waits for your approval.\n"))
        (goto-char (point-min)))
      (current-buffer))))

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
                   (message "Plugboard: %s was answered elsewhere" (plugboard-card-tool approval)))
                  (_ (setq plugboard-approvals--settled (delete id plugboard-approvals--settled))
                     (plugboard-approvals--add approval)
                     (message "Plugboard: %s" (plugboard-hub-error-text problem))))))))

(defun plugboard-approvals--current ()
  "Return the id of the approval that is shown."
  (or plugboard-approvals--shown (user-error "No pending approvals")))

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
                                              (plugboard-card-tool approval))))
    (erase-buffer)
    (insert (plugboard-card-json (plist-get approval :args)))
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
