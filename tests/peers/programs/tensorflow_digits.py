"""Softmax regression and a small net on digits, as a script for TensorFlow 1 writes it."""

import numpy as np
import tensorflow as tf
from minigrad import data

learning_rate = 0.5
training_epochs = 8
batch_size = 100

images, labels, test_images, test_labels = data.digits()  # X, y, X_test, y_test
one_hot, test_one_hot = np.eye(10)[labels], np.eye(10)[test_labels]
features = images.shape[1]

# here: x = tf.placeholder("x", [None, features])
x = tf.placeholder(tf.float32, [None, features])
# here: y = tf.placeholder("y", [None, 10])
y = tf.placeholder(tf.float32, [None, 10])

W = tf.Variable(tf.zeros([features, 10]))
b = tf.Variable(tf.zeros([10]))
# here: pred = tf.softmax(tf.matmul(x, W) + b)
pred = tf.nn.softmax(tf.matmul(x, W) + b)
# here: cost = tf.mean(-tf.sum(y * tf.log(pred), 1))
cost = tf.reduce_mean(-tf.reduce_sum(y * tf.log(pred), reduction_indices=1))
# here: optimizer = tf.optim.SGD([W, b], learning_rate).minimize(cost)
optimizer = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost)
correct = tf.equal(tf.argmax(pred, 1), tf.argmax(y, 1))
# here: accuracy = tf.mean(tf.cast(correct, tf.float32))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

# here: init = tf.group(W, b)
init = tf.global_variables_initializer()
costs = []
with tf.Session() as sess:
    sess.run(init)
    for epoch in range(training_epochs):
        total = 0.0
        batches = len(images) // batch_size
        for i in range(batches):
            rows = slice(i * batch_size, (i + 1) * batch_size)
            feed_dict = {x: images[rows], y: one_hot[rows]}
            _, c = sess.run([optimizer, cost], feed_dict=feed_dict)
            total += c / batches
        costs.append(total)
    right = sess.run(accuracy, feed_dict={x: test_images, y: test_one_hot})
    weights = sess.run(W)

RESULT = {"costs": costs, "accuracy": right, "weights": weights}
