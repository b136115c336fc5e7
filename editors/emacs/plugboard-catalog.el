;;; plugboard-catalog.el --- Finding tools, and reading on  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Where the hub's catalog is read, and the few tools of our own: one reads
;; pages of large results; where there are too many tools for a model, one
;; finds them and one calls them.  Each answers its callback once.

;;; Code:

(require 'seq)
(require 'subr-x)
(require 'url-util)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-schema)
(require 'plugboard-calls)
(require 'plugboard-chats)

(defcustom plugboard-profile nil
  "Profile of the hub whose servers and tools are offered, or nil for all."
  :type '(choice (const :tag "All" nil) string)
  :group 'plugboard)

(defcustom plugboard-read-only nil
  "Whether only read-only tools are offered, and run."
  :type 'boolean
  :group 'plugboard)

(defconst plugboard-catalog--found-max 8 "Most tools that one search answers.")
(defconst plugboard-catalog--query-max 400 "Most characters of a search that the hub takes.")

(defconst plugboard-catalog-own
  `((:name "plugboard_read_result"
     :description "Read one page of a large tool result that was kept whole."
     :args ((:name "id" :type string :description "Handle of the result")
            (:name "page" :type integer :description "Page, from 1"))
     :function plugboard-catalog-read-result)
    (:name ,(car plugboard-chats-finders)
     :description ,(concat "Find tools of connected servers that fit a task. Answers names, descriptions"
                           " and arguments; call one with plugboard_call_tool.")
     :args ((:name "query" :type string :description "What is to be done, in a few words"))
     :function plugboard-catalog-find)
    (:name ,(cadr plugboard-chats-finders)
     :description "Call a tool that plugboard_find_tools has found."
     :args ((:name "name" :type string :description "Name of the tool, as found")
            (:name "arguments" :anyOf [(:type "object")]
             :description "Arguments of that tool, as its schema has them"))
     :function plugboard-catalog-call))
  "The tools of our own, as gptel takes them.")

(defun plugboard-catalog-path (&optional query)
  "Return the path of the tools on offer, or of those that fit QUERY."
  (concat "/v1/tools/rendered?format=anthropic&names=mcp__server__tool"
          (and plugboard-profile (concat "&profile=" (url-hexify-string plugboard-profile)))
          (and plugboard-read-only "&readOnly=true")
          (and query (concat "&search=" (url-hexify-string query)))))

(defmacro plugboard-catalog-answering (callback &rest body)
  "Run BODY and tell CALLBACK its text, or why it failed.
When there is no text, the code that got CALLBACK answers later.
gptel doesn't catch errors of functions that do so."
  (declare (indent 1))
  `(when-let ((text (condition-case problem
                        (progn ,@body)
                      (error (format "Error: %s" (error-message-string problem))))))
     (funcall ,callback text)))

(defun plugboard-catalog--ask (path callback show)
  "Read PATH for a model and answer CALLBACK with the value, as text by SHOW."
  (plugboard-http-request
   "GET" path :role 'model
   :on-done (lambda (value problem)
              (plugboard-catalog-answering callback
                (if problem
                    (format "Error: %s" (plugboard-get problem :message))
                  (funcall show value))))))

(defun plugboard-catalog-read-result (callback id page)
  "Answer CALLBACK with PAGE of the result ID."
  (plugboard-catalog--ask
   (plugboard-hub-path "results" (format "%s" id) "pages" (format "%s" (or page 1))) callback
   (lambda (value)
     (plugboard-calls-external '(:server "a kept result") (or (plugboard-get value :text) "")))))

(defun plugboard-catalog-find (callback query)
  "Answer CALLBACK with the tools that fit QUERY best."
  (let ((words (truncate-string-to-width (format "%s" (or query "")) plugboard-catalog--query-max)))
    (plugboard-catalog--ask
     (plugboard-catalog-path words) callback
     (lambda (value)
       (let ((found (seq-take (seq-filter (lambda (tool) (gethash (plist-get tool :name) plugboard-own-tools))
                                          (plugboard-each (plist-get value :tools)))
                              plugboard-catalog--found-max)))
         (if (null found) "No tool fits. Try other words."
           (plugboard-calls-external '(:server "descriptions of tools")
                                     (mapconcat #'plugboard-catalog--described found "\n\n"))))))))

(defun plugboard-catalog--described (tool)
  "Return name, description and arguments of TOOL, as the hub has rendered it."
  (format "%s\n%s\narguments: %s" (plist-get tool :name)
          (or (plugboard-get tool :description) "")
          (plugboard-json (plist-get tool :input_schema))))

(defun plugboard-catalog-call (callback name arguments)
  "Call the tool NAME with ARGUMENTS and answer CALLBACK."
  (plugboard-catalog-answering callback
    (if (not (plist-get (gethash name plugboard-own-tools) :server))
        (format "Error: there is no tool %s. Find one with %s." name (car plugboard-chats-finders))
      (plugboard-call name
                      (if (stringp arguments) (plugboard-parse-json arguments)
                        (plugboard-schema-exact arguments))
                      callback :profile plugboard-profile :read-only plugboard-read-only)
      nil)))

(provide 'plugboard-catalog)
;;; plugboard-catalog.el ends here
