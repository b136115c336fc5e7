;;; plugboard-questions.el --- Answer what servers ask  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A server may ask the person something (elicitation) or ask for a model's
;; answer (sampling).  Emacs is attached to the hub as a host, so that
;; questions that come up during its calls are answered here.  The server's
;; name always stands in front: it can't be taken for Plugboard.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-calls)
(require 'plugboard-visible)

(declare-function gptel-request "ext:gptel-request")
(defvar gptel-model)

(defvar plugboard-questions--host nil "Id under which this Emacs is attached, or nil.")
(defvar plugboard-questions--stream nil "Stream of the questions.")
(defvar plugboard-questions--open nil "Questions that are open, oldest first.")
(defvar-local plugboard-questions--shown nil "Id of the question that the buffer shows.")

(defconst plugboard-questions--buffer "*Plugboard Questions*")

;;; Being a host

(defun plugboard-questions-install ()
  "Attach to the hub whenever it is connected."
  (setq plugboard-calls-host-function (lambda () plugboard-questions--host))
  (add-hook 'plugboard-hub-open-hook #'plugboard-questions--attach)
  (add-hook 'plugboard-hub-lost-hook #'plugboard-questions--forget))

(defun plugboard-questions-uninstall ()
  "Undo `plugboard-questions-install'."
  (setq plugboard-calls-host-function #'ignore)
  (remove-hook 'plugboard-hub-open-hook #'plugboard-questions--attach)
  (remove-hook 'plugboard-hub-lost-hook #'plugboard-questions--forget))

(defun plugboard-questions--attach ()
  "Attach to the hub as a host that answers servers."
  (plugboard-questions--forget)
  (plugboard-http-request
   "POST" "/v1/hosts" :role 'model
   :body '(:name "Emacs" :answers ["elicitation" "sampling"])
   :on-done (lambda (value _problem)
              (when-let ((id (plugboard-get value :id)))
                (setq plugboard-questions--host id
                      plugboard-questions--stream
                      (plugboard-http-open-stream
                       (plugboard-hub-path "hosts" id "requests")
                       :on-event #'plugboard-questions--take
                       :on-lost (lambda (problem)
                                  (when (equal (plugboard-get problem :code) "not_found") 'stop))))))))

(defun plugboard-questions--forget ()
  "Forget a hub that has gone."
  (plugboard-http-close-stream plugboard-questions--stream)
  (setq plugboard-questions--host nil plugboard-questions--stream nil plugboard-questions--open nil))

(defun plugboard-questions-detach ()
  "Tell the hub that this Emacs answers no more."
  (when plugboard-questions--host
    (plugboard-http-request "DELETE" (plugboard-hub-path "hosts" plugboard-questions--host)
                            :role 'model))
  (plugboard-questions--forget))

;;; Questions

(defun plugboard-questions--take (message)
  "Take MESSAGE of the hub: a question, or that one is no longer asked."
  (let ((id (plist-get message :requestId)))
    (pcase (plist-get message :kind)
      ("cancel" (plugboard-questions--drop id))
      ("request"
       (unless (plugboard-questions--find id)
         (setq plugboard-questions--open (append plugboard-questions--open (list message)))
         (message "Plugboard: %s asks something (%s)" (plist-get message :server)
                  (substitute-command-keys "\\[plugboard-questions]"))
         (unless noninteractive
           (run-at-time 0 nil (lambda ()
                                (when (plugboard-questions--find id)
                                  (display-buffer (plugboard-questions--render id)
                                                  '(display-buffer-pop-up-window)))))))))))

(defun plugboard-questions-open ()
  "Return the questions that are open, oldest first."
  plugboard-questions--open)

(defun plugboard-questions--find (id)
  "Return the open question ID."
  (seq-find (lambda (each) (equal (plist-get each :requestId) id)) plugboard-questions--open))

(defun plugboard-questions--drop (id)
  "Take the question ID out of what is open."
  (setq plugboard-questions--open
        (seq-remove (lambda (each) (equal (plist-get each :requestId) id)) plugboard-questions--open))
  (when-let ((buffer (get-buffer plugboard-questions--buffer)))
    (plugboard-questions--render (plist-get (car plugboard-questions--open) :requestId))
    (unless plugboard-questions--open
      (when-let ((window (get-buffer-window buffer t))) (quit-window nil window)))))

(defun plugboard-questions-answer (id result)
  "Answer the question ID with RESULT, as the protocol has it."
  (plugboard-http-request
   "POST" (plugboard-hub-path "hosts" plugboard-questions--host "answers" id)
   :role 'model :body (list :result result)
   :on-done (lambda (_value problem)
              (when problem (message "Plugboard: %s" (plugboard-hub-error-text problem)))
              (plugboard-questions--drop id))))

(defun plugboard-questions-refuse (id)
  "Refuse the question ID."
  (if (equal (plist-get (plugboard-questions--find id) :asks) "elicitation")
      (plugboard-questions-answer id '(:action "decline"))
    (plugboard-http-request
     "POST" (plugboard-hub-path "hosts" plugboard-questions--host "answers" id)
     :role 'model :body '(:problem "The user refused.")
     :on-done (lambda (&rest _) (plugboard-questions--drop id)))))

;;; The buffer

(defvar plugboard-questions-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map "y" #'plugboard-questions-reply)
    (define-key map "n" #'plugboard-questions-decline)
    (define-key map "o" #'plugboard-questions-browse)
    map)
  "Keys of the buffer with questions of servers.")

(define-derived-mode plugboard-questions-mode special-mode "Questions"
  "Mode of the buffer with questions of servers.")

;;;###autoload
(defun plugboard-questions ()
  "Show the oldest open question of a server."
  (interactive)
  (pop-to-buffer (plugboard-questions--render
                  (plist-get (car plugboard-questions--open) :requestId))))

(defun plugboard-questions--render (id)
  "Fill the buffer with the question ID and return it."
  (let ((question (plugboard-questions--find id)))
    (with-current-buffer (get-buffer-create plugboard-questions--buffer)
      (unless (derived-mode-p 'plugboard-questions-mode) (plugboard-questions-mode))
      (setq plugboard-questions--shown (and question id)
            header-line-format (and question (plugboard-questions--keys question)))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (if question (plugboard-questions--insert question)
          (insert "No server asks anything.\n"))
        (goto-char (point-min)))
      (current-buffer))))

(defun plugboard-questions--insert (question)
  "Insert QUESTION with the server's name in front."
  (let* ((params (plist-get question :params))
         (url (plugboard-get params :url)))
    (insert (propertize (format "The server %s asks" (plist-get question :server)) 'face 'bold) "\n\n"
            (plugboard-visible (if (plugboard-questions--samples-p question)
                                   (plugboard-questions--sampled params)
                                 (plugboard-get params :message)))
            "\n\n")
    (when url (insert "Page: " (plugboard-visible url) "\n\n"))
    (cl-loop for (key field) on (plugboard-get params :requestedSchema :properties) by #'cddr
             do (insert (format "  %s  %s\n"
                                (plugboard-questions--label (substring (symbol-name key) 1) field)
                                (plugboard-visible-line (plugboard-get field :description)))))))

(defun plugboard-questions--label (name field)
  "Return what FIELD, called NAME, is called for people."
  (plugboard-visible-line (or (plugboard-get field :title) name)))

(defun plugboard-questions--keys (question)
  "Return the keys for QUESTION in one line."
  (cond ((plugboard-questions--samples-p question) " y let your model answer · n refuse · q close")
        ((plugboard-get question :params :url) " o open the page · y done · n decline · q close")
        (t " y answer · n decline · q close")))

(defun plugboard-questions--samples-p (question)
  "Return non-nil if QUESTION is for a model."
  (equal (plist-get question :asks) "sampling"))

(defun plugboard-questions--sampled (params)
  "Return the messages in PARAMS that a server wants a model to answer."
  (mapconcat (lambda (message)
               (let ((content (plist-get message :content)))
                 (mapconcat (lambda (each) (or (plugboard-get each :text) "[not text]"))
                            (if (vectorp content) content (list content)) "\n")))
             (plugboard-each (plist-get params :messages)) "\n"))

(defun plugboard-questions--current ()
  "Return the question that is shown."
  (or (plugboard-questions--find plugboard-questions--shown) (user-error "No server asks anything")))

(defun plugboard-questions-decline ()
  "Decline the question that is shown."
  (interactive)
  (plugboard-questions-refuse (plist-get (plugboard-questions--current) :requestId)))

(defun plugboard-questions-browse ()
  "Open the page that the server asks you to visit."
  (interactive)
  (when-let ((url (plugboard-get (plugboard-questions--current) :params :url)))
    (browse-url url)))

(defun plugboard-questions-reply ()
  "Answer the question that is shown."
  (interactive)
  (let* ((question (plugboard-questions--current))
         (id (plist-get question :requestId))
         (params (plist-get question :params)))
    (cond
     ((plugboard-questions--samples-p question) (plugboard-questions--sample id params))
     ((plugboard-get params :url) (plugboard-questions-answer id '(:action "accept")))
     (t (plugboard-questions-answer
         id (list :action "accept" :content (plugboard-questions--form params)))))))

;;; Forms

(defun plugboard-questions--form (params)
  "Ask for the fields of the form in PARAMS and return them as an object."
  (let* ((schema (plugboard-get params :requestedSchema))
         (required (plugboard-each (plugboard-get schema :required))))
    (cl-loop for (key field) on (plugboard-get schema :properties) by #'cddr
             for name = (substring (symbol-name key) 1)
             for value = (plugboard-questions--field name field (member name required))
             unless (eq value 'absent) append (list key value))))

(defun plugboard-questions--field (name field required)
  "Ask for the value of FIELD, called NAME; REQUIRED if it can't be left out."
  (let* ((label (concat (plugboard-questions--label name field) (if required "" " (optional)")))
         (prompt (concat label ": "))
         (choices (plugboard-questions--choices field))
         (default (plist-get field :default))
         (chosen (car (rassoc default choices))))
    (pcase (plugboard-get field :type)
      ("boolean" (if (y-or-n-p prompt) t :false))
      ((and (or "number" "integer") type)
       (plugboard-questions--number prompt type (and (numberp default) default) required))
      ("array"
       (let* ((items (plugboard-questions--choices (plugboard-get field :items)))
              (chosen (mapcar (lambda (value) (car (rassoc value items))) (plugboard-each default)))
              (labels (completing-read-multiple prompt items nil t (string-join chosen ","))))
         (if (or labels required) (vconcat (mapcar (lambda (label) (cdr (assoc label items))) labels))
           'absent)))
      (_ (let ((text (if choices
                         (completing-read (format-prompt "%s" chosen label) choices nil t nil nil chosen)
                       (read-string prompt (and (stringp default) default)))))
           (cond ((cdr (assoc text choices)))
                 ((and (string-empty-p text) (not required)) 'absent)
                 (t text)))))))

(defun plugboard-questions--choices (field)
  "Return what can be chosen for FIELD, as pairs of label and value."
  (let ((names (plugboard-each (plugboard-get field :enumNames))))
    (append
     (mapcar (lambda (value) (cons (plugboard-visible-line (or (pop names) value)) value))
             (plugboard-each (plugboard-get field :enum)))
     (mapcar (lambda (each)
               (let ((value (plugboard-get each :const)))
                 (cons (plugboard-visible-line (or (plugboard-get each :title) value)) value)))
             (plugboard-each (or (plugboard-get field :oneOf) (plugboard-get field :anyOf)))))))

(defun plugboard-questions--number (prompt type default required)
  "Ask with PROMPT for a number of TYPE until it is one, from DEFAULT on.
Unless REQUIRED, nothing is an answer, too."
  (let ((form (if (equal type "integer") "\\`-?[0-9]+\\'" "\\`-?[0-9]+\\(\\.[0-9]+\\)?\\'"))
        (text (read-string prompt (and default (number-to-string default)))))
    (while (not (or (string-match-p form text) (and (string-empty-p text) (not required))))
      (setq text (read-string (format "Not %s. %s" (if (equal type "integer") "a whole number" "a number")
                                      prompt)
                              text)))
    (if (string-empty-p text) 'absent (string-to-number text))))

;;; Sampling

(defun plugboard-questions--sample (id params)
  "Let gptel's model answer PARAMS, and send what you have seen for question ID."
  (unless (require 'gptel nil t) (user-error "Only gptel can answer for a model"))
  (gptel-request (plugboard-questions--sampled params)
    :system (or (plugboard-get params :systemPrompt) "")
    :callback
    (lambda (response info)
      (cond
       ((stringp response)
        (let ((text (if noninteractive response
                      (read-string "Send this answer to the server: " response))))
          (plugboard-questions-answer
           id (list :role "assistant" :content (list :type "text" :text text)
                    :model (format "%s" (or (bound-and-true-p gptel-model) "gptel"))
                    :stopReason "endTurn"))))
       ((null response)
        (message "Plugboard: the model didn't answer: %s" (plist-get info :status)))))))

(provide 'plugboard-questions)
;;; plugboard-questions.el ends here
