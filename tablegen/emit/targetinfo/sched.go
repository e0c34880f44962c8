package targetinfo

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// schedBuilder collects machine models.
type schedBuilder struct {
	b       *builder
	t       *desc.SchedTable
	models  []*schedModel
	byKey   map[*tablegen.Record]int
	classes []*schedClass
	classOf []int // by opcode
	aliases map[*tablegen.Record][]*tablegen.Record
	names   []byte
	offs    map[string]desc.Name
	writes  map[*tablegen.Record]uint16
	choices map[int][]schedChoice // of a class
}

// schedChoice is a way to resolve a variant on a machine.
type schedChoice struct {
	desc.SchedChoice
	model int
}

// schedModel is one machine with what the records say about it.
type schedModel struct {
	name      string
	rec       *tablegen.Record // SchedMachineModel
	itins     *tablegen.Record // ProcessorItineraries, nil without any
	resources []*tablegen.Record
	resNum    map[*tablegen.Record]int
	writeRes  map[*tablegen.Record]*tablegen.Record // by WriteType
	advances  map[*tablegen.Record]*tablegen.Record // by ReadType
	asked     map[*tablegen.Record]bool             // writes that a ReadAdvance names
	itinRW    []*tablegen.Record
	hasCosts  bool // any record says what something costs on it
}

// schedClass is a kind of instruction for machine models.
type schedClass struct {
	name          string
	itin          *tablegen.Record // nil for NoItinerary
	writes, reads []*tablegen.Record
	instRW        []*tablegen.Record
	// model is the machine for which a class was made out of a variant, -1 all.
	model int
}

// schedule reads machine models and gives each instruction its class.
func (b *builder) schedule() {
	if b.rs.Class("SchedMachineModel") == nil && b.rs.Class("ProcessorItineraries") == nil {
		return
	}
	s := &schedBuilder{b: b, t: &desc.SchedTable{}, byKey: map[*tablegen.Record]int{}, offs: map[string]desc.Name{},
		writes: map[*tablegen.Record]uint16{}, choices: map[int][]schedChoice{}, aliases: map[*tablegen.Record][]*tablegen.Record{}}
	b.sched = s
	s.readModels()
	s.readResources()
	if len(b.errs) > 0 {
		return
	}
	s.instrClasses()
	s.instRWs()
	s.checkComplete()
	s.expandVariants()
	if len(b.errs) > 0 {
		return
	}
	for op := range b.t.Instrs {
		b.t.Instrs[op].Sched = s.classOf[op]
	}
	s.layout()
	b.t.Info.SetSched(func() *desc.SchedTable { return s.t })
}

// readModels numbers the machines: 0 knows nothing, the others in order of the
// processors' names.
func (s *schedBuilder) readModels() {
	none := s.b.rs.Def("NoSchedModel")
	s.models = []*schedModel{{name: "NoSchedModel", rec: none}}
	if none != nil {
		s.byKey[none] = 0
	}
	for i, p := range s.b.procs {
		model, itins := p.DefField("SchedModel"), p.DefField("ProcItin")
		key := model
		if itins != nil && len(itins.List("IID")) > 0 {
			key = itins
		} else {
			itins = nil
			if model != nil {
				if x := model.DefField("Itineraries"); x != nil && len(x.List("IID")) > 0 {
					itins = x
				}
			}
		}
		if key == nil {
			continue
		}
		n, ok := s.byKey[key]
		if !ok {
			n = len(s.models)
			s.byKey[key] = n
			s.models = append(s.models, &schedModel{name: key.Name, rec: model, itins: itins})
		}
		s.b.t.Info.Processors[i].Model = uint16(n)
	}
	for _, m := range s.models {
		m.resNum, m.writeRes = map[*tablegen.Record]int{}, map[*tablegen.Record]*tablegen.Record{}
		m.advances, m.asked = map[*tablegen.Record]*tablegen.Record{}, map[*tablegen.Record]bool{}
	}
}

// modelOf finds the machine that a record belongs to, nil for one that no
// processor uses.
func (s *schedBuilder) modelOf(r *tablegen.Record) *schedModel {
	key := r.DefField("SchedModel")
	if key == nil {
		return nil
	}
	if n, ok := s.byKey[key]; ok {
		return s.models[n]
	}
	return nil
}

// readResources files resources, costs, forwarding and aliases by machine.
func (s *schedBuilder) readResources() {
	for _, class := range [...]string{"ProcResourceUnits", "ProcResGroup"} {
		for _, r := range s.b.derived(class) {
			if m := s.modelOf(r); m != nil {
				s.addResource(m, r)
			}
		}
	}
	// Resources that belong to no machine are those of all that use them.
	for _, r := range s.b.derived("ProcWriteResources") {
		if m := s.modelOf(r); m != nil {
			m.hasCosts = true
			for _, x := range r.DefList("ProcResources") {
				s.addResource(m, s.units(m, x))
			}
		}
	}
	for _, m := range s.models {
		tablegen.SortByName(m.resources)
		for i, r := range m.resources {
			m.resNum[r] = i
		}
	}
	file := func(class, field string, to func(m *schedModel) map[*tablegen.Record]*tablegen.Record) {
		for _, r := range s.b.derived(class) {
			m, key := s.modelOf(r), r.DefField(field)
			if m == nil || key == nil {
				continue
			}
			if old := to(m)[key]; old != nil {
				s.b.fail(r, field, "'%s' has two costs on '%s': '%s' and '%s'", key.Name, m.name, old.Name, r.Name)
				continue
			}
			to(m)[key] = r
		}
	}
	file("WriteRes", "WriteType", func(m *schedModel) map[*tablegen.Record]*tablegen.Record { return m.writeRes })
	file("ReadAdvance", "ReadType", func(m *schedModel) map[*tablegen.Record]*tablegen.Record { return m.advances })
	for _, r := range s.b.derived("ProcReadAdvance") {
		if m := s.modelOf(r); m != nil {
			for _, w := range r.DefList("ValidWrites") {
				m.asked[w] = true
			}
		}
	}
	for _, r := range s.b.derived("ItinRW") {
		if m := s.modelOf(r); m != nil {
			m.itinRW, m.hasCosts = append(m.itinRW, r), true
		}
	}
	for _, r := range s.b.derived("SchedAlias") {
		if match := r.DefField("MatchRW"); match != nil {
			s.aliases[match] = append(s.aliases[match], r)
		}
	}
	for i, w := range s.b.derived("SchedWrite") {
		s.writes[w] = uint16(i + 1)
	}
}

// units finds the resource of a machine that stands for a kind of resources.
func (s *schedBuilder) units(m *schedModel, kind *tablegen.Record) *tablegen.Record {
	if kind.IsSubClassOf("ProcResourceUnits") || kind.IsSubClassOf("ProcResGroup") {
		return kind
	}
	for _, r := range s.b.derived("ProcResourceUnits") {
		if r.DefField("Kind") == kind && s.modelOf(r) == m {
			return r
		}
	}
	return kind
}

// addResource adds a resource to a machine, with what contains it.
func (s *schedBuilder) addResource(m *schedModel, r *tablegen.Record) {
	for range 20 {
		if _, ok := m.resNum[r]; ok || !r.IsSubClassOf("ProcResourceUnits") && !r.IsSubClassOf("ProcResGroup") {
			return
		}
		m.resNum[r] = 0
		m.resources = append(m.resources, r)
		sup := r.DefField("Super")
		if sup == nil {
			return
		}
		r = s.units(m, sup)
	}
}

// checkComplete sees that a machine that claims to be complete has a cost of
// every instruction.
func (s *schedBuilder) checkComplete() {
	for _, m := range s.models {
		if m.rec == nil || !m.rec.Bit("CompleteModel") || m.rec.Bit("NoModel") || len(s.b.t.Info.Processors) == 0 {
			continue
		}
		unsupported := m.rec.DefList("UnsupportedFeatures")
		for op := range s.b.t.Instrs {
			r := s.b.t.Instrs[op].Rec
			if r == nil || r.Bit("hasNoSchedulingInfo") {
				continue
			}
			if slices.ContainsFunc(r.DefList("Predicates"), func(p *tablegen.Record) bool { return slices.Contains(unsupported, p) }) {
				continue
			}
			c := s.classes[s.classOf[op]]
			switch {
			case s.classOf[op] == 0:
				if _, ok := r.ListOK("SchedRW"); !ok {
					s.b.fail(r, "", "no schedule information for instruction '%s' in machine model '%s'", r.Name, m.name)
				}
			case len(c.writes) > 0, c.itin != nil && m.itins != nil:
			case !slices.ContainsFunc(c.instRW, func(x *tablegen.Record) bool { return s.modelOf(x) == m }):
				s.b.fail(r, "", "machine model '%s' lacks information for '%s'", m.name, r.Name)
			}
		}
	}
}

// splitRW separates writes from reads.
func splitRW(l []*tablegen.Record) (writes, reads []*tablegen.Record) {
	for _, r := range l {
		if r.IsSubClassOf("SchedWrite") {
			writes = append(writes, r)
		} else {
			reads = append(reads, r)
		}
	}
	return writes, reads
}

func classID(itin *tablegen.Record, writes, reads []*tablegen.Record) string {
	var k strings.Builder
	if itin != nil {
		k.WriteString(itin.Name)
	}
	for _, l := range [...][]*tablegen.Record{writes, reads} {
		k.WriteByte('|')
		for _, r := range l {
			k.WriteString(r.Name)
			k.WriteByte(',')
		}
	}
	return k.String()
}

// className joins the names of what makes a class.
func className(itin *tablegen.Record, writes, reads []*tablegen.Record) string {
	var words []string
	if itin != nil {
		words = append(words, itin.Name)
	}
	for _, l := range [...][]*tablegen.Record{writes, reads} {
		for _, r := range l {
			words = append(words, r.Name)
		}
	}
	return strings.Join(words, "_")
}

// instrClasses gives the instructions classes by what they say themselves.
func (s *schedBuilder) instrClasses() {
	s.classes = []*schedClass{{name: "NoInstrModel", model: -1}}
	byID := map[string]int{classID(nil, nil, nil): 0}
	s.classOf = make([]int, len(s.b.t.Instrs))
	for op := range s.b.t.Instrs {
		r := s.b.t.Instrs[op].Rec
		if r == nil {
			continue
		}
		itin := r.DefField("Itinerary")
		if itin != nil && itin.Name == "NoItinerary" {
			itin = nil
		}
		writes, reads := splitRW(r.DefList("SchedRW"))
		id := classID(itin, writes, reads)
		n, ok := byID[id]
		if !ok {
			n = len(s.classes)
			byID[id] = n
			s.classes = append(s.classes, &schedClass{name: className(itin, writes, reads), itin: itin, writes: writes, reads: reads, model: -1})
		}
		s.classOf[op] = n
	}
}

// instRWs gives instructions that a machine names one by one classes of their
// own.
func (s *schedBuilder) instRWs() {
	matched := map[*tablegen.Record][]int{}
	for _, r := range s.b.derived("InstRW") {
		if s.modelOf(r) == nil {
			continue
		}
		ops := s.matchInstrs(r)
		matched[r] = ops
		var order []int
		groups := map[int][]int{}
		for _, op := range ops {
			c := s.classOf[op]
			if groups[c] == nil {
				order = append(order, c)
			}
			groups[c] = append(groups[c], op)
		}
		for _, old := range order {
			s.splitClass(r, old, groups[old], matched)
		}
	}
}

// splitClass moves instructions of a class to one that an InstRW changes; all of
// them stay where an earlier InstRW has made the class for the same ones.
func (s *schedBuilder) splitClass(r *tablegen.Record, old int, ops []int, matched map[*tablegen.Record][]int) {
	c := s.classes[old]
	for _, x := range c.instRW {
		if old != 0 && x.DefField("SchedModel") == r.DefField("SchedModel") {
			s.b.fail(r, "Instrs", "instruction '%s' has two costs (InstRW) on '%s'", s.b.t.Instrs[ops[0]].Name, r.DefField("SchedModel").Name)
			return
		}
	}
	if old != 0 && len(c.instRW) > 0 {
		n := 0
		for _, op := range matched[c.instRW[0]] {
			if s.classOf[op] == old {
				n++
			}
		}
		if n == len(ops) {
			c.instRW = append(c.instRW, r)
			return
		}
	}
	var names []string
	for _, op := range ops {
		names = append(names, s.b.t.Instrs[op].Name)
		s.classOf[op] = len(s.classes)
	}
	n := &schedClass{name: strings.Join(names, "_"), itin: c.itin, writes: c.writes, reads: c.reads, model: -1}
	if old != 0 {
		n.instRW = append(n.instRW, c.instRW...)
	}
	n.instRW = append(n.instRW, r)
	s.classes = append(s.classes, n)
}

// matchInstrs lists the opcodes that an InstRW names: (instrs A, B) or
// (instregex "ADD.*"), whose expressions match the beginning of names.
func (s *schedBuilder) matchInstrs(r *tablegen.Record) []int {
	d := r.Dag("Instrs")
	if d == nil {
		s.b.fail(r, "Instrs", "InstRW '%s' has no instructions", r.Name)
		return nil
	}
	seen := make([]bool, len(s.b.t.Instrs))
	var out []int
	add := func(op int) {
		if !seen[op] {
			seen[op] = true
			out = append(out, op)
		}
	}
	for _, a := range d.Args {
		switch a := a.(type) {
		case *tablegen.DefInit:
			op, ok := s.b.t.byRec[a.Rec]
			if !ok {
				s.b.fail(r, "Instrs", "'%s' in InstRW is no instruction", a.Rec.Name)
				continue
			}
			add(int(op))
		case *tablegen.StringInit:
			re, err := regexp.Compile("^(?:" + a.S + ")")
			if err != nil {
				s.b.fail(r, "Instrs", "'%s' in InstRW is no regular expression: %s", a.S, err)
				continue
			}
			before := len(out)
			for op := range s.b.t.Instrs {
				if re.MatchString(s.b.t.Instrs[op].Name) {
					add(op)
				}
			}
			if len(out) == before && !strings.Contains(a.S, "|") {
				s.b.fail(r, "Instrs", "instregex \"%s\" matches no instruction", a.S)
			}
		default:
			s.b.fail(r, "Instrs", "'%s' in InstRW is neither an instruction nor a string", a)
		}
	}
	return out
}
