// Two sliders that move a path of gradient descent with momentum; lesson 11 writes its page.
if (!customElements.get("descent-sliders")) customElements.define("descent-sliders",
  class extends HTMLElement {
    connectedCallback() {
      this.facts = JSON.parse(this.dataset.facts);
      this.addEventListener("input", () => this.renew());
    }

    errors(eta, beta) {
      const found = [], error = this.facts.best.map((at) => -at), v = [0, 0];
      for (let step = 0; step < this.facts.most; step++) {
        found.push([...error]);
        this.facts.curvatures.forEach((curvature, i) => {
          v[i] = beta * v[i] + curvature * error[i];
          error[i] -= eta * v[i];
        });
      }
      return found;
    }

    factor(eta, beta, curvature) {
      const half = (1 + beta - eta * curvature) / 2, inside = half * half - beta;
      return inside < 0 ? Math.sqrt(beta) : Math.abs(half) + Math.sqrt(inside);
    }

    loss(error) {
      return error.reduce((sum, e, i) => sum + this.facts.curvatures[i] * e * e / 2, 0);
    }

    place(value, span, pixels) {
      const at = pixels[0] + (value - span[0]) / (span[1] - span[0]) * (pixels[1] - pixels[0]);
      return Math.min(9e3, Math.max(-9e3, at)).toFixed(1);
    }

    renew() {
      const { best, curvatures, near, steps, tall, left, right, a, b, decades } = this.facts;
      const [eta, beta] = ["eta", "beta"].map((name) => {
        const input = this.querySelector("." + name);
        input.nextElementSibling.textContent = input.value;
        return Number(input.value);
      });
      const errors = this.errors(eta, beta), losses = errors.map((error) => this.loss(error));
      const down = [tall - 10, 10], first = errors.slice(0, steps);
      const draw = (name, points) =>
        this.querySelector("." + name).setAttribute("points", points.join(" "));
      draw("path", first.map((error) => this.place(error[0] + best[0], a, left) + ","
        + this.place(error[1] + best[1], b, down)));
      draw("loss", first.map((error, step) => this.place(step, [0, steps], right) + ","
        + this.place(Math.log10(losses[step] + 1e-300), decades, down)));
      const factors = curvatures.map((each) => this.factor(eta, beta, each).toFixed(3));
      const there = losses.findLastIndex((loss) => !(loss < near)) + 1;
      const ends = there < losses.length ? `after ${there} steps it stays below 0.001`
        : "it does not stay below 0.001";
      this.querySelector(".told").textContent = `In the long run a step multiplies the error of a by `
        + `${factors[0]} and the error of b by ${factors[1]}. The loss above its minimum: ${ends}.`;
    }
  });
